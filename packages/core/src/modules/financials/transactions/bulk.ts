import type { operations } from '@finhook/contracts';
import { Filters } from '../../../lists/keyset.ts';
import { audit } from '../../../outbox/audit.ts';
import { emit } from '../../../outbox/emit.ts';
import { transaction, type UnitOfWork } from '../../../outbox/transaction.ts';
import type { Context } from '../../../verbs/context.ts';
import { DomainError } from '../../../verbs/domain-error.ts';
import type { InputOf, OutputOf, Verb } from '../../../verbs/verb.ts';
import {
  type Corrected,
  correctRows,
  isChangedBy,
  rejectUncounted,
  toUpdatedRow,
  type UpdatedRow,
  updateOf,
} from '../../bank/transactions/correct-rows.ts';
import type { TransactionRow } from '../../bank/transactions/transaction.ts';
import { type LockedCompany, lockCompany } from '../../companies/lock-company.ts';
import { selectTransactions, sourceOf } from './list.ts';

type Op = typeof operations.bank.transactions.bulk;

const CHUNK = 500;

type Selected = Corrected & Pick<TransactionRow, 'id' | 'connection_id'>;

type ListFilters = Omit<InputOf<typeof operations.bank.transactions.list>, 'company_id' | 'limit' | 'order' | 'sort'>;

interface Selection {
  filters: Filters;
  from: string;
}

/** Classifies, categorizes, voids or restores the rows that a filter selects, if their number is `expected_count`. */
export const bulkUpdateTransactions: Verb<Op> = async (context, input) => {
  // Before the transaction, because it may use a connection of its own.
  const filters = new Filters();
  const found = await selectTransactions(filters, context, toListInput(input), '/filter');
  const selection = { filters, from: sourceOf(found) };
  return transaction(context, { records: 'audit and event' }, async (tx) => {
    const company = await lockCompany(tx, context, input.company_id);
    const selected = await lockRows(tx, selection, input.expected_count);
    await rejectUncounted(tx, company, selected, input.set.flow_class);
    const changing = selected.filter((row) => isChangedBy(row, input.set));
    const output: OutputOf<Op> = {
      object: 'transaction_bulk_update',
      company_id: company.id,
      count: selected.length,
      updated: changing.length,
      unchanged: selected.length - changing.length,
    };
    if (changing.length > 0) await change(tx, context, company, input, changing, output);
    return output;
  });
};

function toListInput({ company_id, filter }: InputOf<Op>): Parameters<typeof selectTransactions>[2] {
  return { ...withoutNulls(filter), company_id, limit: 1, order: 'asc' };
}

function withoutNulls(filter: InputOf<Op>['filter']): ListFilters {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== null));
}

/** Locks the rows in the order of other requests: by key. Throws `count_changed`. */
async function lockRows(tx: UnitOfWork, selection: Selection, expected: number): Promise<Selected[]> {
  const { filters, from } = selection;
  const where = `FROM ${from} WHERE ${filters.sql}`;
  const { values } = filters;
  const rows = await tx.query<Selected>(
    `SELECT t.id, t.connection_id, t.flow_class, t.own_category, t.voided_at ${where}
     ORDER BY t.connection_id, t.external_id LIMIT $${values.length + 1} FOR NO KEY UPDATE OF t`,
    [...values, expected + 1],
  );
  if (rows.length === expected) return rows;
  const [found] = await tx.query<{ count: number }>(`SELECT count(*)::int AS count ${where}`, values);
  const count = found?.count ?? 0;
  // While it waited for a lock, one row left the selection and another entered it.
  if (count === expected) return lockRows(tx, selection, expected);
  throw new DomainError('count_changed', {
    detail: `The filter now selects ${count} transactions, not ${expected}. Nothing was changed.`,
    extra: { count },
  });
}

async function change(
  tx: UnitOfWork,
  context: Context,
  company: LockedCompany,
  { filter, set, reason }: InputOf<Op>,
  changing: readonly Selected[],
  { count, updated }: OutputOf<Op>,
): Promise<void> {
  const now = context.clock.now();
  const request = { filter: withoutNulls(filter), set, count, updated, ...(reason == null ? {} : { reason }) };
  for (let start = 0; start < changing.length; start += CHUNK) {
    const before = new Map(changing.slice(start, start + CHUNK).map((row) => [row.id, row]));
    const rows = await correctRows(tx, company, [...before.keys()], set, now);
    const changed = rows.map((row) => toUpdatedRow(row, before.get(row.id) ?? row));
    const eventId = emit(tx, context, {
      type: 'bank.transaction.updated',
      companyId: company.id,
      data: updateOf(company.id, 'edited', changed),
    });
    audit(
      tx,
      context,
      {
        action: 'bank.transactions.bulk',
        companyId: company.id,
        resourceId: company.id,
        after: { ...request, replaced: replacedIn(changed) },
      },
      [eventId],
    );
  }
}

/** Ids grouped by previous values: the audit log keeps them for longer than the event. */
function replacedIn(changed: readonly UpdatedRow[]): { previous: UpdatedRow['previous']; ids: string[] }[] {
  return [...Map.groupBy(changed, ({ previous }) => JSON.stringify(previous)).values()].flatMap((rows) =>
    rows.slice(0, 1).map(({ previous }) => ({ previous, ids: rows.map(({ id }) => id) })),
  );
}
