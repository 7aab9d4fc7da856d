import type { operations } from '@finhook/contracts';
import type { Context } from '../../kernel/context.ts';
import { notFound } from '../../kernel/domain-error.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { findCompany } from '../companies/get-company.ts';
import { type TransactionRow, toTransaction } from './transaction-record.ts';

type Op = typeof operations.bank.transactions.get;

/** Reads one transaction. */
export async function getTransaction(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  const company = await findCompany(context, input.company_id);
  const [row] = await context.database.query<TransactionRow>(
    'SELECT * FROM bank_transaction WHERE id = $1 AND company_id = $2',
    [input.transaction_id, company.id],
  );
  if (!row) throw notFound('bank transaction');
  return toTransaction(row);
}
