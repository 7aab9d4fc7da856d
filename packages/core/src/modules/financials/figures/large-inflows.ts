import { formatMoney, type Warning } from '@finhook/contracts';
import { statement } from '../../../db/queryable.ts';
import { floorDivide, mean, median } from '../../../input/exact-arithmetic.ts';
import { dueUntil } from '../../../time/calendar.ts';
import type { Context } from '../../../verbs/context.ts';
import { comparedSql, decidedCategorySql, decidedClassSql, flowRulesCte } from '../../bank/transactions/rule-sql.ts';
import { nameParameters } from '../named-parameters.ts';
import type { MonthFlow } from './compute-burn.ts';
import { type CountedRows, countRows } from './count-rows.ts';
import { normalizedCategorySql } from './figure-rules.ts';
import { type KeyedRow, MAX_AMOUNT, type StoredRow, toKeyedRow } from './leave-out.ts';
import { addMonths, burnWindow, type MonthWindow, monthOf } from './months.ts';
import { countsSql, type RowSource, replacedOf, uncountedOf } from './row-source.ts';

export interface LargeInflow extends KeyedRow {
  day: string;
  month: string;
}

/** An inflow is large above this multiple of the median monthly inflow, and above 1/`PART_OF_SPENDING` of mean money out. */
const TIMES = 5n;
const PART_OF_SPENDING = 4n;
const CUSTOMER_MONTHS = 2;
const HISTORY_MONTHS = 12;
const SHOWN = 20;

type Sums = Pick<MonthFlow, 'moneyIn' | 'moneyOut'>;

/** The amount above which an inflow is large compared with these months; undefined without spending. */
export function inflowLimit(months: readonly Sums[]): bigint | undefined {
  if (months.every(({ moneyOut }) => moneyOut === 0n)) return undefined;
  const [inflow, out] = [median(months.map(({ moneyIn }) => moneyIn)), mean(months.map(({ moneyOut }) => moneyOut))];
  const limits = [floorDivide(TIMES * inflow.n, inflow.d), floorDivide(out.n, PART_OF_SPENDING * out.d)];
  return limits.reduce((a, b) => (a > b ? a : b));
}

type InflowScale = Pick<CountedRows, 'flows' | 'coverageFrom'>;

/** Compares an inflow with the last three covered months before it or, without any, with the rest of its own month. */
function isLargeInflow({ month, currency, amount }: LargeInflow, scale: InflowScale): boolean {
  const before = burnWindow(month, scale.coverageFrom).map((one) => sumsOf(scale, one, currency));
  const own = sumsOf(scale, month, currency);
  const limit = inflowLimit(before.length > 0 ? before : [{ ...own, moneyIn: own.moneyIn - amount }]);
  return limit !== undefined && amount > limit;
}

function sumsOf({ flows }: InflowScale, month: string, currency: string): Sums {
  return flows.find((flow) => flow.month === month && flow.currency === currency) ?? { moneyIn: 0n, moneyOut: 0n };
}

const counterpartySql = comparedSql("coalesce(t.counterparty, '')");

const { p, valuesOf } = nameParameters(
  'company',
  'account',
  'from',
  'to',
  'currencies',
  'limits',
  'classified',
  'without',
  'replaced',
  'zone',
  'flowRules',
);

const inflowsSql = `
  WITH ${flowRulesCte(`${p.flowRules}::jsonb`)}
  SELECT t.id, t.connection_id, ${decidedCategorySql('t')} AS category, t.currency, t.amount_cents, t.posted_at, (t.posted_at AT TIME ZONE ${p.zone})::date AS day,
         ${counterpartySql} AS counterparty
  FROM unnest(${p.currencies}::text[], ${p.limits}::bigint[]) AS l (currency, cents) JOIN bank_transaction t
    ON t.currency = l.currency AND t.amount_cents > l.cents AND t.amount_cents <> 0
  WHERE t.company_id = ${p.company} AND t.account_id = ${p.account} AND t.posted_at >= ${p.from}::timestamptz AND t.posted_at < ${p.to}::timestamptz
    AND t.voided_at IS NULL AND ${countsSql(p)}`;
// Rows that a person or a rule classified are not questioned.
const isOpen = `${decidedClassSql('t')} = '' AND ${normalizedCategorySql(decidedCategorySql('t'))} <> ALL (${p.classified}::text[])`;
const readInflows = statement('read_inflows', `${inflowsSql} AND ${isOpen} ORDER BY t.posted_at, t.id`);
// ILIKE is far cheaper than the normal form; they differ only for characters beyond ASCII.
const readOfCounterparties = statement(
  'read_inflows_of_counterparties',
  `${inflowsSql} AND (t.counterparty ILIKE ANY ($13::text[]) OR t.counterparty ~ '[^ -~]')
     AND ${counterpartySql} = ANY ($12::text[])
     AND (${decidedClassSql('t')} = 'counted' OR ${isOpen})`,
);

interface Row extends StoredRow {
  day: string;
  counterparty: string;
}

export async function readLargeInflows(
  context: Context,
  counted: CountedRows,
  fromMonth: string,
  toMonth?: string,
): Promise<LargeInflow[]> {
  const found: (LargeInflow & { counterparty: string })[] = [];
  const isRequested = (month: string): boolean => month >= fromMonth && (toMonth === undefined || month <= toMonth);
  for (const window of counted.windows.filter(({ month }) => isRequested(month))) {
    const limits = limitsIn(window.month, counted);
    if (limits.size === 0) continue;
    // A counted payment of a card is classified by its category.
    const values = inflowValues(context, counted, limits, duePart(window, counted), counted.rules.cardCategories);
    for (const row of await context.database.query<Row>(readInflows, values)) {
      const { day, counterparty } = row;
      const inflow = { ...toKeyedRow(row), day, month: monthOf(day), counterparty };
      if (!counted.leftOut.has(inflow.id) && isLargeInflow(inflow, counted)) found.push(inflow);
    }
  }
  const paidIn = await readPaidMonths(context, counted, found);
  return found.filter(({ counterparty, month }) => {
    const since = addMonths(month, -HISTORY_MONTHS);
    const earlier = [...(paidIn.get(counterparty) ?? [])].filter((one) => one >= since && one < month);
    return earlier.length < CUSTOMER_MONTHS;
  });
}

function limitsIn(month: string, scale: InflowScale): ReadonlyMap<string, bigint> {
  const before = burnWindow(month, scale.coverageFrom);
  const limits = new Map<string, bigint>();
  for (const own of scale.flows.filter((flow) => flow.month === month)) {
    const months = before.map((one) => sumsOf(scale, one, own.currency));
    // The inflow without the row itself is unknown here, so the limit is the part of spending.
    const limit = inflowLimit(months.length > 0 ? months : [{ ...own, moneyIn: 0n }]);
    if (limit !== undefined && limit < MAX_AMOUNT && own.moneyIn > limit) limits.set(own.currency, limit);
  }
  return limits;
}

async function readPaidMonths(
  context: Context,
  counted: CountedRows,
  inflows: readonly { month: string; counterparty: string }[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const named = inflows.filter(({ counterparty }) => counterparty !== '');
  const months = named.map(({ month }) => month).toSorted();
  const [first, toMonth] = [months[0], months.at(-1)];
  if (first === undefined) return new Map();
  const { cash, rules } = counted;
  const earlier = await countRows(context, { cash, rules, fromMonth: addMonths(first, -HISTORY_MONTHS - 1), toMonth });
  const limits = new Map(earlier.flows.map(({ currency }) => [currency, 0n]));
  const span = duePart({ from: earlier.windows[0]?.from ?? '', to: earlier.windows.at(-1)?.to ?? '' }, earlier);
  const names = [...new Set(named.map(({ counterparty }) => counterparty))];
  const likes = names.map((name) => `%${name.replaceAll(/[\\%_]/g, '\\$&').replaceAll(' ', '%')}%`);
  const values = [...inflowValues(context, earlier, limits, span), names, likes];
  const rows = await context.database.query<Row>(readOfCounterparties, values);
  const paid = rows.filter(({ id }) => !earlier.leftOut.has(id));
  const byCounterparty = Map.groupBy(paid, ({ counterparty }) => counterparty);
  return new Map([...byCounterparty].map(([name, of]) => [name, new Set(of.map(({ day }) => monthOf(day)))]));
}

/** The due part of a span: later rows are in no sum. */
function duePart(
  { from, to }: Pick<MonthWindow, 'from' | 'to'>,
  { cash }: RowSource,
): Pick<MonthWindow, 'from' | 'to'> {
  return { from, to: new Date(Math.min(Date.parse(to), dueUntil(cash.zone, cash.today))).toISOString() };
}

function inflowValues(
  context: Context,
  source: RowSource,
  limits: ReadonlyMap<string, bigint>,
  { from, to }: Pick<MonthWindow, 'from' | 'to'>,
  classified: readonly string[] = [],
): unknown[] {
  const { cash, rules, flowRules } = source;
  return valuesOf({
    company: cash.companyId,
    account: context.accountId,
    from,
    to,
    currencies: [...limits.keys()],
    limits: [...limits.values()].map(String),
    classified: [...rules.transferCategories, ...rules.financingCategories, ...classified],
    without: uncountedOf(rules),
    replaced: replacedOf(source),
    zone: cash.zone.name,
    flowRules,
  });
}

export function largeInflowWarnings(inflows: readonly LargeInflow[]): Warning[] {
  const sorted = inflows.toSorted((a, b) => (a.amount > b.amount ? -1 : 1));
  const shown = sorted.slice(0, SHOWN).map(({ id, connectionId, currency, amount, day }): Warning => {
    const sum = formatMoney(amount, currency);
    const message = `${sum} came in on ${day} (${id}), far more than usual. It is left out of burn and runway, because it may not be income.`;
    return { code: 'large_inflow', message, transaction_id: id, connection_id: connectionId || null };
  });
  const more = sorted.length - shown.length;
  if (more === 0) return shown;
  const message = `${more} more inflows are far larger than usual and left out of burn and runway.`;
  return [...shown, { code: 'large_inflow', message }];
}
