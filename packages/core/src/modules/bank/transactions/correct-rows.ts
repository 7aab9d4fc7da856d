import type { EventData, operations } from '@finhook/contracts';
import { type Queryable, statement } from '../../../db/queryable.ts';
import { changesBetween } from '../../../outbox/record-change.ts';
import type { InputOf } from '../../../verbs/verb.ts';
import type { LockedCompany } from '../../companies/lock-company.ts';
import { forgetChangedDuplicates } from './changed-duplicates.ts';
import { type TransactionRow, toEventRow } from './transaction-row.ts';

export type UpdateEvent = EventData<'bank.transaction.updated'>;
export type UpdatedRow = UpdateEvent['transactions'][number];
/** What a person says about a row; `flow_class` null takes the class back, and what is absent stays. */
export type Correction = Pick<InputOf<typeof operations.bank.transactions.update>, 'flow_class' | 'voided'>;
/** The fields of a row that a correction changes. */
export type Corrected = Pick<TransactionRow, 'flow_class' | 'voided_at'>;

/** The `data` of an event about changed rows. */
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

// A row that is voided again keeps its time. `updated_at` never runs back, whatever the clocks of two processes say.
const store = statement(
  'correct_transactions',
  `UPDATE bank_transaction
   SET flow_class = CASE WHEN $3::boolean THEN $4 ELSE flow_class END,
       voided_at = CASE WHEN $5::boolean IS NULL THEN voided_at WHEN $5 THEN coalesce(voided_at, $6) END,
       updated_at = greatest($6, coalesce(updated_at, created_at) + interval '1 millisecond')
   WHERE company_id = $1 AND id = ANY ($2::text[])
   RETURNING *`,
);

/** Changes rows, which the transaction has locked and which `isChangedBy` says change. Returns them as they are now. */
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

/** The row as the event has it; `before` is what the correction replaced. */
export function toUpdatedRow(row: TransactionRow, { flow_class, voided_at }: Corrected): UpdatedRow {
  const now = toEventRow(row);
  const old = toEventRow({ ...row, flow_class, voided_at });
  return { ...now, ...changesBetween(old, now) };
}
