import { getSettings } from '../src/modules/financials/figures/settings.ts';
import type { Context } from '../src/verbs/context.ts';
import {
  type ExportedBalance,
  type ExportedTransaction,
  type RecomputeInput,
  recomputeRunway,
} from './recompute-runway.ts';
import { rulesOf } from './rules-of.ts';

/** The defaults are a company in UTC without registered connections. */
type More = Partial<Pick<RecomputeInput, 'timezone' | 'now' | 'months' | 'disconnected' | 'replacing'>>;

/** Computes the runway of a company with USD from its stored rows. */
export async function recomputeStored(context: Context, company_id: string, more: More = {}) {
  const { database } = context;
  const balances = await database.query<ExportedBalance>(
    'SELECT connection_id, as_of, balance_cents::float8, currency FROM cash_balance WHERE company_id = $1',
    [company_id],
  );
  const transactions = await database.query<ExportedTransaction>(
    `SELECT id, connection_id, posted_at, amount_cents::float8, currency, category, own_category, counterparty, description,
       flow_class, voided_at
     FROM bank_transaction WHERE company_id = $1`,
    [company_id],
  );
  const rules = rulesOf(await getSettings(context, { company_id }));
  const now = context.clock.now();
  return recomputeRunway({
    balances,
    transactions,
    timezone: 'UTC',
    baseCurrency: 'USD',
    now,
    rules,
    disconnected: [],
    ...more,
  });
}
