import type { CountedAs, operations } from '@finhook/contracts';
import type { Filters } from '../../../lists/keyset.ts';
import type { Context } from '../../../verbs/context.ts';
import { rejectFields } from '../../../verbs/domain-error.ts';
import { listVerb } from '../../../verbs/verb.ts';
import { type TransactionRow, toTransaction, transactionList } from '../../bank/transactions/transaction.ts';
import { classifyRows } from '../figures/classify-rows.ts';
import { monthOf } from '../figures/months.ts';
import { readScope } from '../figures/read-runway.ts';
import { partnersOf, type RowClass, type RowClasses, rowClassJoin } from '../figures/row-class-sql.ts';

interface ListedRow extends TransactionRow {
  row_class?: RowClass;
}

interface Classified {
  join: string;
  partners: ReadonlyMap<string, string>;
}

type ListOp = typeof operations.bank.transactions.list;
type Selection = Parameters<typeof transactionList.filters>[2];

/** Rows are not older than 1970-01-01 in any time zone. */
const FIRST_MONTH = '1969-12';
const DAY = 86_400_000;

export const listTransactions = listVerb<ListOp, ListedRow, Classified | undefined>({
  ...transactionList,
  table: sourceOf,
  select: (classified) => (classified === undefined ? 't.*' : 't.*, c.row_class'),
  filters: (filters, context, input) => selectTransactions(filters, context, input),
  map: (row, classified) => ({
    ...toTransaction(row),
    ...(classified === undefined ? {} : { counted_as: toCountedAs(row, classified) }),
  }),
});

export function sourceOf(classified: Classified | undefined): string {
  return `${transactionList.table} ${classified?.join ?? ''}`;
}

/** Adds the conditions of the list's filters. `pointer`: JSON pointer of the object with the filters, for errors. */
export async function selectTransactions(
  filters: Filters,
  context: Context,
  input: Selection,
  pointer = '',
): Promise<Classified | undefined> {
  await transactionList.filters(filters, context, input);
  const { company_id, month, counted_as, once = (compute) => compute() } = input;
  if (month === undefined) {
    rejectFields([
      counted_as && { pointer: `${pointer}/month`, code: 'required', message: 'is required with counted_as' },
    ]);
    return undefined;
  }
  const classes = await once(() => readClasses(context, company_id, month));
  whereMonth(filters, month, classes.cash.zone.name);
  const join = rowClassJoin(classes, (value) => filters.bind(value));
  filters.where(counted_as, 'c.row_class[1] = ?');
  return { join, partners: partnersOf(classes) };
}

async function readClasses(context: Context, companyId: string, month: string): Promise<RowClasses> {
  const scope = await readScope(context, companyId);
  if (month >= FIRST_MONTH && month <= monthOf(scope.cash.today))
    return classifyRows(context, { ...scope, first: month, last: month });
  return { ...scope, replaced: [], flowRules: '[]', pairs: [], cardIds: new Set(), largeInflows: [] };
}

/** The database assigns rows to months, as in the sums; the bounds allow the index on time. */
function whereMonth(filters: Filters, month: string, zone: string): void {
  const start = Date.parse(`${month}-01`);
  filters.whereInstant(new Date(start - DAY).toISOString(), 't.posted_at >= ?');
  filters.whereInstant(new Date(start + 32 * DAY).toISOString(), 't.posted_at < ?');
  filters.where(month, `to_char(t.posted_at AT TIME ZONE ${filters.bind(zone)}, 'YYYY-MM') = ?`);
}

function toCountedAs({ id, row_class }: ListedRow, { partners }: Classified): CountedAs | null {
  if (!row_class) return null;
  const [flow_class, flow_reason] = row_class;
  return { flow_class, flow_reason, paired_with: partners.get(id) ?? null };
}
