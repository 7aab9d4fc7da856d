import type { EventData, operations } from '@finhook/contracts';
import { type Queryable, statement } from '../../../db/queryable.ts';
import { accountName } from '../../../ids/connection-id.ts';
import { changesBetween } from '../../../outbox/record-change.ts';
import { DomainError } from '../../../verbs/domain-error.ts';
import type { InputOf } from '../../../verbs/verb.ts';
import { accountTypeSql, typesSql, uncountedTypes } from '../../cash/series-sql.ts';
import type { LockedCompany } from '../../companies/lock-company.ts';
import { forgetChangedDuplicates } from './changed-duplicates.ts';
import { shownRuleCategorySql } from './rule-sql.ts';
import { type TransactionRow, toEventRow } from './transaction.ts';

export type UpdateEvent = EventData<'bank.transaction.updated'>;
export type UpdatedRow = UpdateEvent['transactions'][number];
/** Null removes a person's class or category; absent fields stay. */
export type Correction = Pick<
  InputOf<typeof operations.bank.transactions.update>,
  'flow_class' | 'category' | 'voided'
>;
export type Corrected = Pick<TransactionRow, 'flow_class' | 'own_category' | 'voided_at'>;

export function updateOf(
  companyId: string,
  cause: UpdateEvent['cause'],
  transactions: readonly UpdatedRow[],
): UpdateEvent {
  const rows = [...transactions];
  return { object: 'transaction_update', company_id: companyId, cause, count: rows.length, transactions: rows };
}

export function isChangedBy(row: Corrected, { flow_class, category, voided }: Correction): boolean {
  return (
    (flow_class !== undefined && flow_class !== row.flow_class) ||
    (category !== undefined && category !== row.own_category) ||
    (voided != null && voided !== (row.voided_at != null))
  );
}

// Voiding again keeps the first time. `updated_at` never decreases, even if the clocks of two processes differ.
const store = statement(
  'correct_transactions',
  `UPDATE bank_transaction t
   SET flow_class = CASE WHEN $3::boolean THEN $4 ELSE flow_class END,
       own_category = CASE WHEN $7::boolean THEN $8 ELSE own_category END,
       voided_at = CASE WHEN $5::boolean IS NULL THEN voided_at WHEN $5 THEN coalesce(voided_at, $6) END,
       updated_at = greatest($6, coalesce(updated_at, created_at) + interval '1 millisecond')
   WHERE company_id = $1 AND id = ANY ($2::text[])
   RETURNING t.*, ${shownRuleCategorySql('t', '$1')} AS rule_category`,
);

/** The caller has locked the rows, and selected those that the correction changes (`isChangedBy`). */
export async function correctRows(
  db: Queryable,
  company: LockedCompany,
  ids: readonly string[],
  { flow_class, category, voided }: Correction,
  now: Date,
): Promise<TransactionRow[]> {
  const rows = await db.query<TransactionRow>(store, [
    company.id,
    ids,
    flow_class !== undefined,
    flow_class ?? null,
    voided ?? null,
    now.toISOString(),
    category !== undefined,
    category ?? null,
  ]);
  if (voided === true) await forgetChangedDuplicates(db, company, ids);
  return rows;
}

export function toUpdatedRow(row: TransactionRow, { flow_class, own_category, voided_at }: Corrected): UpdatedRow {
  const now = toEventRow(row);
  const old = toEventRow({ ...row, flow_class, own_category, voided_at });
  return { ...now, ...changesBetween(old, now) };
}

type Classified = Pick<TransactionRow, 'connection_id'> & { flow_class?: string | null | undefined };

const findUncounted = statement(
  'find_uncounted_accounts',
  `SELECT s.connection_id FROM unnest($2::text[]) AS s (connection_id)
   LEFT JOIN surface_settings x ON x.company_id = $1
   WHERE ${accountTypeSql('$1', 's.connection_id', 'x.accounts')} IN ${typesSql(uncountedTypes)}
   ORDER BY s.connection_id`,
);

/** Throws `account_not_counted` if a row gets another class, though its account's type is in no figure. */
export async function rejectUncounted(
  db: Queryable,
  company: LockedCompany,
  rows: readonly Classified[],
  flowClass: string | null | undefined,
): Promise<void> {
  if (flowClass == null) return;
  const changing = rows.filter(({ flow_class }) => flow_class !== flowClass);
  if (changing.length === 0) return;
  const byAccount = Map.groupBy(changing, ({ connection_id }) => connection_id ?? '');
  const found = await db.query<{ connection_id: string }>(findUncounted, [company.id, [...byAccount.keys()]]);
  const [first] = found;
  if (first === undefined) return;
  const count = found.reduce((sum, { connection_id }) => sum + (byAccount.get(connection_id)?.length ?? 0), 0);
  throw new DomainError('account_not_counted', {
    detail: `${subject(first.connection_id, found.length - 1)}, whose rows are in no figure and take no class. Nothing was changed.`,
    extra: { connection_ids: found.map(({ connection_id }) => connection_id || 'none'), count },
  });
}

function subject(connectionId: string, others: number): string {
  const account = `The ${accountName(connectionId)}`;
  const kind = 'of the type investment, restricted or loan';
  return others === 0 ? `${account} is ${kind}` : `${account} and ${others} more are ${kind}`;
}
