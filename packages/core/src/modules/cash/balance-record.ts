import type { CashBalance } from '@finhook/contracts';
import { toTimestamp } from '../../kernel/clock.ts';

/** A row of `cash_balance` as PostgreSQL returns it. */
export interface BalanceRow {
  id: string;
  account_id: string;
  company_id: string;
  connection_id: string;
  as_of: string;
  balance_cents: string;
  currency: string;
  source: string;
  created_at: string;
  updated_at: string;
}

export function toBalance(row: BalanceRow): CashBalance {
  return {
    id: row.id,
    object: 'cash_balance',
    account_id: row.account_id,
    company_id: row.company_id,
    as_of: row.as_of,
    balance_cents: Number(row.balance_cents),
    currency: row.currency,
    source: row.source,
    connection_id: row.connection_id || null,
    created_at: toTimestamp(row.created_at),
    updated_at: toTimestamp(row.updated_at),
  };
}
