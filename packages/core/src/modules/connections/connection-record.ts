import { type BankConnection, bankConnection } from '@finhook/contracts';
import { toNullableTimestamp } from '../../kernel/clock.ts';
import { type RowOf, record } from '../../kernel/record.ts';

/** A row of `bank_connection` as PostgreSQL returns it, with the time of its newest balance. */
export interface ConnectionRow extends RowOf<typeof bankConnection, never, 'config' | 'has_secret' | 'freshness'> {
  config_url: string | null;
  /** Encrypted. */
  secret: string | null;
  transactions_at: string | null;
  balance_at: string | null;
}

/**
 * What a statement selects or returns for a `ConnectionRow` from `bank_connection k`; `now` is SQL for this moment (a
 * timestamptz). A balance that is dated beyond the company's tomorrow waits for its day here, as it does in the figures;
 * IS TRUE keeps the day out of the choice of index.
 */
export const connectionColumns = (now: string): string => `k.*, (
  SELECT b.updated_at FROM cash_balance b WHERE b.company_id = k.company_id AND b.connection_id = k.id
    AND (b.as_of <= (
      SELECT (${now}::timestamptz AT TIME ZONE c.timezone)::date + 1 FROM company c WHERE c.id = k.company_id
    )) IS TRUE
  ORDER BY b.as_of DESC LIMIT 1
) AS balance_at`;

/** The connection as everyone may see it: of its token no more than the last four characters. */
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

/** The additional authenticated data of a token's ciphertext (S18). */
export function tokenPlace(connectionId: string): string {
  return `bank_connection|${connectionId}`;
}
