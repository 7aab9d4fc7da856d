import type { operations } from '@finhook/contracts';
import type { Context } from '../../kernel/context.ts';
import { notFound } from '../../kernel/domain-error.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { findCompany } from '../companies/get-company.ts';
import { type BalanceRow, toBalance } from './balance-record.ts';

type Op = typeof operations.cash.balances.get;

/** Reads one balance. */
export async function getCashBalance(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  const company = await findCompany(context, input.company_id);
  const [row] = await context.database.query<BalanceRow>(
    'SELECT * FROM cash_balance WHERE id = $1 AND company_id = $2',
    [input.balance_id, company.id],
  );
  if (!row) throw notFound('cash balance');
  return toBalance(row);
}
