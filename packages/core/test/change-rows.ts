import type { FlowClass } from '@finhook/contracts';
import { ingestTransactions } from '../src/modules/bank/transactions/ingest.ts';
import { updateTransaction } from '../src/modules/bank/transactions/update.ts';
import type { Context } from '../src/verbs/context.ts';

/** A change by a person, or new values from the sender. */
export interface RowChange {
  flow_class?: FlowClass | null;
  /** By a person. */
  own_category?: string | null;
  voided?: boolean;
  posted_at?: string;
  amount_cents?: number;
  category?: string | null;
  counterparty?: string | null;
  currency?: string;
}

interface StoredRow {
  id: string;
  external_id: string;
  connection_id: string;
  posted_at: string;
  amount_cents: number;
  currency: string;
  description: string;
  category: string | null;
  counterparty: string | null;
}

/** Changes rows by external id: a class, a category or a void as a person, other values as the sender. */
export async function changeRows(
  context: Context,
  company_id: string,
  externalIds: readonly string[],
  { flow_class, own_category, voided, ...sent }: RowChange,
): Promise<void> {
  const rows = await context.database.query<StoredRow>(
    `SELECT id, external_id, connection_id, posted_at, amount_cents::float8, currency, description, category, counterparty
     FROM bank_transaction WHERE company_id = $1 AND external_id = ANY ($2) ORDER BY id`,
    [company_id, externalIds],
  );
  if (flow_class !== undefined || own_category !== undefined || voided !== undefined) {
    const change = { flow_class, category: own_category, voided };
    for (const { id } of rows) await updateTransaction(context, { company_id, transaction_id: id, ...change });
  }
  if (Object.keys(sent).length === 0) return;
  const transactions = rows.map((stored) => {
    const { id: _, connection_id, posted_at, ...row } = stored;
    const account = connection_id === '' ? {} : { connection_id };
    return { ...row, ...account, posted_at: new Date(posted_at).toISOString(), ...sent };
  });
  await ingestTransactions(context, { company_id, on_duplicate: 'update', transactions });
}
