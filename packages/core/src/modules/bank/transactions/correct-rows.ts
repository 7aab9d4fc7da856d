import type { EventData, operations } from '@finhook/contracts';
import { type Queryable, statement } from '../../../db/queryable.ts';
import { changesBetween } from '../../../outbox/record-change.ts';
import type { InputOf } from '../../../verbs/verb.ts';
import type { LockedCompany } from '../../companies/lock-company.ts';
import { forgetChangedDuplicates } from './changed-duplicates.ts';
import { type TransactionRow, toEventRow } from './transaction-row.ts';

export type UpdateEvent = EventData<'bank.transaction.updated'>;
export type UpdatedRow = UpdateEvent['transactions'][number];
/** `flow_class` null removes the class; absent fields stay. */
export type Correction = Pick<InputOf<typeof operations.bank.transactions.update>, 'flow_class' | 'voided'>;
export type Corrected = Pick<TransactionRow, 'flow_class' | 'voided_at'>;

/** Data of `bank.transaction.updated`. */
export function updateOf(
  companyId: string,
  cause: UpdateEvent['cause'],
  transactions: readonly UpdatedRow[],
): UpdateEvent {
  const rows = [...transactions];
  return { object: 'transaction_update', company_id: companyId, cause, count: rows.length, transactions: rows };
}

export function isChangedBy(row: Corrected, { flow_class, voided }: Correction): boolean {
  return (
    (flow_class !== undefined && flow_class !== (row.flow_class ?? null)) ||
    (voided != null && voided !== (row.voided_at != null))
  );
}

// Voiding again keeps the first time. `updated_at` never decreases, even if the clocks of two processes differ.
const store = statement(
  'correct_transactions',
  `UPDATE bank_transaction
   SET flow_class = CASE WHEN $3::boolean THEN $4 ELSE flow_class END,
       voided_at = CASE WHEN $5::boolean IS NULL THEN voided_at WHEN $5 THEN coalesce(voided_at, $6) END,
       updated_at = greatest($6, coalesce(updated_at, created_at) + interval '1 millisecond')
   WHERE company_id = $1 AND id = ANY ($2::text[])
   RETURNING *`,
);

/** The rows must be locked and changed by the correction (`isChangedBy`). */
export async function correctRows(
  db: Queryable,
  company: LockedCompany,
  ids: readonly string[],
  { flow_class, voided }: Correction,
  now: Date,
): Promise<TransactionRow[]> {
  const rows = await db.query<TransactionRow>(store, [
    company.id,
    ids,
    flow_class !== undefined,
    flow_class ?? null,
    voided ?? null,
    now.toISOString(),
  ]);
  if (voided === true) await forgetChangedDuplicates(db, company, ids);
  return rows;
}

/** The row in the event's form; `before` are the replaced values. */
export function toUpdatedRow(row: TransactionRow, { flow_class, voided_at }: Corrected): UpdatedRow {
  const now = toEventRow(row);
  const old = toEventRow({ ...row, flow_class, voided_at });
  return { ...now, ...changesBetween(old, now) };
}
