import { type BankConnection, bankConnection } from '@finhook/contracts';
import { toNullableTimestamp } from '../../../kernel/clock.ts';
import { type RowOf, record } from '../../../kernel/record.ts';

export interface ConnectionRow extends RowOf<typeof bankConnection, never, 'config' | 'has_secret' | 'freshness'> {
  config_url: string | null;
  /** Encrypted. */
  secret: string | null;
  transactions_at: string | null;
  balance_at: string | null;
}

/**
 * The columns of a `ConnectionRow` from `bank_connection k`; `now` is SQL for the current time (a timestamptz). As in
 * the figures, a balance dated after the company's tomorrow is excluded until then; IS TRUE keeps the day from
 * influencing the choice of index.
 */
export const connectionColumns = (now: string): string => `k.*, (
  SELECT b.updated_at FROM cash_balance b WHERE b.company_id = k.company_id AND b.connection_id = k.id
    AND (b.as_of <= (
      SELECT (${now}::timestamptz AT TIME ZONE c.timezone)::date + 1 FROM company c WHERE c.id = k.company_id
    )) IS TRUE
  ORDER BY b.as_of DESC LIMIT 1
) AS balance_at`;

export function toConnection(row: ConnectionRow): BankConnection {
  return record(bankConnection, row, {
    config: row.config_url === null ? null : { url: row.config_url },
    has_secret: row.secret !== null,
    freshness: {
      balance: toNullableTimestamp(row.balance_at),
      transactions: toNullableTimestamp(row.transactions_at),
      statements: null,
    },
  });
}

export function tokenAad(connectionId: string): string {
  return `bank_connection|${connectionId}`;
}
