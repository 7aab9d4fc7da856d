import { type CountedAs, type FieldError, MAX_BREAKDOWN_MONTHS, MAX_LABELS, type operations } from '@finhook/contracts';
import { exactCentsOf } from '../../../input/exact-arithmetic.ts';
import { createOnce, Filters } from '../../../lists/keyset.ts';
import type { Context } from '../../../verbs/context.ts';
import { rejectFields } from '../../../verbs/domain-error.ts';
import { type InputOf, listVerb, type OutputOf } from '../../../verbs/verb.ts';
import { comparedSql, shownRuleCategorySql, shownRulesSql } from '../../bank/transactions/rule-sql.ts';
import {
  type TransactionRow,
  type TransactionSelection,
  toTransaction,
  transactionList,
} from '../../bank/transactions/transaction.ts';
import { classifyRows } from '../figures/classify-rows.ts';
import { normalizedCategorySql } from '../figures/figure-rules.ts';
import { addMonths, monthOf } from '../figures/months.ts';
import { readScope } from '../figures/read-runway.ts';
import {
  countsInFiguresSql,
  partnersOf,
  type RowClass,
  type RowClasses,
  rowClassJoin,
} from '../figures/row-class-sql.ts';

interface ListedRow extends TransactionRow {
  row_class?: RowClass;
}

interface Selected {
  /** SQL of the category by a rule. */
  ruleCategory: string;
  /** With a month. */
  classified?: { join: string; partners: ReadonlyMap<string, string> };
}

type ListOp = typeof operations.bank.transactions.list;
type Selection = Omit<TransactionSelection, 'include'>;

/** Rows are not older than 1970-01-01 in any time zone. */
const FIRST_MONTH = '1969-12';
const DAY = 86_400_000;

const listPage = listVerb<ListOp, ListedRow, Selected>({
  ...transactionList,
  table: sourceOf,
  select: ({ ruleCategory, classified }) =>
    `t.*, ${ruleCategory} AS rule_category${classified === undefined ? '' : ', c.row_class'}`,
  filters: (filters, context, input) => selectTransactions(filters, context, input),
  map: (row, { classified }) => ({
    ...toTransaction(row),
    ...(classified === undefined ? {} : { counted_as: toCountedAs(row, classified.partners) }),
  }),
});

type Input = Omit<Parameters<typeof listPage>[1], 'include'> & Pick<InputOf<ListOp>, 'include'>;

/** The totals have the page's classes: they are computed once for both. */
export async function listTransactions(context: Context, { include, ...given }: Input): Promise<OutputOf<ListOp>> {
  if (include !== 'totals' && include !== 'labels') return listPage(context, { ...given, include });
  const input = { once: createOnce(), ...given };
  const page = await listPage(context, input);
  return { ...page, ...(include === 'totals' ? await readTotals(context, input) : await readLabels(context, input)) };
}

interface TotalsRow {
  currency: string;
  all: number;
  transactions: number;
  money_in: string;
  money_out: string;
}

async function readTotals(
  context: Context,
  input: Selection,
): Promise<Pick<OutputOf<ListOp>, 'total_count' | 'totals'>> {
  const filters = new Filters();
  const source = sourceOf(await selectTransactions(filters, context, input));
  const rows = await context.database.query<TotalsRow>(
    `SELECT t.currency, count(*)::int AS "all", count(*) FILTER (WHERE t.voided_at IS NULL)::int AS transactions,
       coalesce(sum(t.amount_cents) FILTER (WHERE t.voided_at IS NULL AND t.amount_cents > 0), 0)::text AS money_in,
       coalesce(-sum(t.amount_cents) FILTER (WHERE t.voided_at IS NULL AND t.amount_cents < 0), 0)::text AS money_out
     FROM ${source} WHERE ${filters.sql} GROUP BY 1 ORDER BY t.currency COLLATE "C"`,
    filters.values,
  );
  return {
    total_count: rows.reduce((sum, { all }) => sum + all, 0),
    totals: rows.map(({ currency, transactions, money_in, money_out }) => ({
      currency,
      transactions,
      ...exactCentsOf('in', BigInt(money_in)),
      ...exactCentsOf('out', BigInt(money_out)),
      ...exactCentsOf('net', BigInt(money_in) - BigInt(money_out)),
    })),
  };
}

interface LabelRow {
  kind: 'category' | 'connection';
  label: string | null;
  transactions: number;
}

async function readLabels(context: Context, input: Selection): Promise<Pick<OutputOf<ListOp>, 'labels'>> {
  const filters = new Filters();
  const selected = await selectTransactions(filters, context, input);
  const rows = await context.database.query<LabelRow>(
    `SELECT kind, label, transactions FROM (
       SELECT kind, label, transactions, row_number() OVER (PARTITION BY kind ORDER BY transactions DESC, label COLLATE "C") AS place
       FROM (
         SELECT CASE WHEN grouping(category) = 0 THEN 'category' ELSE 'connection' END AS kind,
           coalesce(category, connection_id) AS label, count(*)::int AS transactions
         FROM (
           SELECT coalesce(t.own_category, ${selected.ruleCategory}, t.category) AS category, t.connection_id
           FROM ${sourceOf(selected)} WHERE ${filters.sql}
         ) r GROUP BY GROUPING SETS ((category), (connection_id))
       ) g WHERE label IS NOT NULL
     ) l WHERE place <= ${MAX_LABELS} ORDER BY kind, place`,
    filters.values,
  );
  const of = (kind: LabelRow['kind']) => rows.filter((row) => row.kind === kind);
  return {
    labels: {
      categories: of('category').map(({ label, transactions }) => ({ category: label ?? '', transactions })),
      connections: of('connection').map(({ label, transactions }) => ({ connection_id: label || null, transactions })),
    },
  };
}

export function sourceOf({ classified }: Selected): string {
  return `${transactionList.table} ${classified?.join ?? ''}`;
}

/** Adds the conditions of the list's filters. `pointer`: JSON pointer of the object with the filters, for errors. */
export async function selectTransactions(
  filters: Filters,
  context: Context,
  input: Selection,
  pointer = '',
): Promise<Selected> {
  const company = await transactionList.filters(filters, context, input);
  const { company_id, month, month_to: last = month, counted_as, counts, once = (compute) => compute() } = input;
  const one = input.category === undefined ? undefined : [input.category];
  const categories = [one, input.categories].filter((given) => given !== undefined);
  filters.where(keyOf(input.counterparty_key), `${comparedSql("btrim(coalesce(t.counterparty, ''))")} = ?`);
  if (month === undefined || last === undefined) {
    const given = Object.entries({ counted_as, counts, month_to: last }).find(([, value]) => value !== undefined);
    rejectFields([given && { pointer: `${pointer}/month`, code: 'required', message: `is required with ${given[0]}` }]);
    const ruleCategory = shownRuleCategorySql('t', company);
    for (const each of categories) whereCategory(filters, each, company);
    whereCategoryKey(filters, input.category_key, ruleCategory);
    return { ruleCategory };
  }
  rejectFields([rangeError(month, last, `${pointer}/month_to`)]);
  const classes = await once(() => readClasses(context, company_id, month, last));
  whereMonths(filters, month, last, classes.cash.zone.name);
  const join = rowClassJoin(classes, (value) => filters.bind(value));
  filters.where(counted_as, 'c.row_class[1] = ?');
  filters.where(counts, `(${countsInFiguresSql}) = ?`);
  for (const each of categories) filters.where(each, 'coalesce(t.own_category, c.rule_category, t.category) = ANY (?)');
  whereCategoryKey(filters, input.category_key, 'c.rule_category');
  return { ruleCategory: 'c.rule_category', classified: { join, partners: partnersOf(classes) } };
}

function rangeError(first: string, last: string, pointer: string): FieldError | undefined {
  if (last === first || (last > first && last < addMonths(first, MAX_BREAKDOWN_MONTHS))) return undefined;
  const message = `must be ${first}, the first month, or up to ${MAX_BREAKDOWN_MONTHS - 1} months later; got ${last}`;
  return { pointer, code: 'date_out_of_range', message };
}

/** A key of the breakdown as the SQL of its keys gives it. A category may be named `none`, but no key has capitals. */
function keyOf(key: string | undefined): string | undefined {
  return key === 'NONE' ? '' : key;
}

function whereCategoryKey(filters: Filters, key: string | undefined, ruleCategory: string): void {
  filters.where(keyOf(key), `${normalizedCategorySql(`coalesce(t.own_category, ${ruleCategory}, t.category)`)} = ?`);
}

/** The first condition needs no rules, so that they are only compared with rows that may have the category. */
function whereCategory(filters: Filters, categories: readonly string[], company: string): void {
  const given = filters.bind(categories);
  filters.add(`(t.own_category = ANY (${given}) OR t.category = ANY (${given})
    OR ${given} && ARRAY(SELECT f.category FROM jsonb_to_recordset(${shownRulesSql(company)}) AS f (category text)))`);
  filters.add(`coalesce(t.own_category, ${shownRuleCategorySql('t', company)}, t.category) = ANY (${given})`);
}

async function readClasses(context: Context, companyId: string, first: string, last: string): Promise<RowClasses> {
  const scope = await readScope(context, companyId);
  const current = monthOf(scope.cash.today);
  if (first >= FIRST_MONTH && first <= current)
    return classifyRows(context, { ...scope, first, last: last < current ? last : current });
  return { ...scope, replaced: [], flowRules: '[]', pairs: [], cardIds: new Set(), largeInflows: [] };
}

/** The database assigns rows to months, as in the sums; the bounds allow the index on time. */
function whereMonths(filters: Filters, first: string, last: string, zone: string): void {
  const [start, end] = [Date.parse(`${first}-01`), Date.parse(`${last}-01`)];
  filters.whereInstant(new Date(start - DAY).toISOString(), 't.posted_at >= ?');
  filters.whereInstant(new Date(end + 32 * DAY).toISOString(), 't.posted_at < ?');
  const month = `to_char(t.posted_at AT TIME ZONE ${filters.bind(zone)}, 'YYYY-MM')`;
  filters.add(`${month} BETWEEN ${filters.bind(first)} AND ${filters.bind(last)}`);
}

function toCountedAs({ id, row_class }: ListedRow, partners: ReadonlyMap<string, string>): CountedAs | null {
  if (!row_class) return null;
  const [flow_class, flow_reason] = row_class;
  return { flow_class, flow_reason, paired_with: partners.get(id) ?? null };
}
