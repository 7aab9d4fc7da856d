import { type FieldError, MAX_BREAKDOWN_MONTHS, normalizeCurrency, type operations } from '@finhook/contracts';
import { exactCentsOf } from '../../../input/exact-arithmetic.ts';
import { rejectFields } from '../../../verbs/domain-error.ts';
import type { InputOf, OutputOf, Verb } from '../../../verbs/verb.ts';
import { type ClassifiedRows, classifyRows } from './classify-rows.ts';
import { type BreakdownSums, computeBreakdown, type KeySums } from './compute-breakdown.ts';
import { normalizeCategory } from './figure-rules.ts';
import { createMonthLookup, type KeyedRow, leaveOut } from './leave-out.ts';
import { addMonths, BURN_MONTHS, monthOf, monthsBetween } from './months.ts';
import { readCounterparties } from './read-counterparties.ts';
import { readScope } from './read-runway.ts';

type Op = typeof operations.financials.breakdown;
type Input = InputOf<Op>;
type Side = 'in' | 'out';

/** Months before the current one that the monthly figures cover. */
const OLDEST = 59;

export const getBreakdown: Verb<Op> = async (context, input) => {
  const { by, direction, compare } = input;
  const { cash, rules } = await readScope(context, input.company_id);
  const { shown, compared } = rangeOf(input, monthOf(cash.today));
  const currency = normalizeCurrency(input.currency ?? '') ?? cash.baseCurrency;
  const [first = monthOf(cash.today)] = [...shown, ...compared].toSorted();
  const keyedBy = { by: by === 'connection' ? by : 'category', currency } as const;
  const read = await classifyRows(context, { cash, rules, first, last: shown.at(-1), keyedBy });
  const isCovered = (month: string): boolean => read.coverageFrom !== undefined && month >= read.coverageFrom;
  const known = compared.length > 0 && compared.every(isCovered) ? compared : undefined;
  const keys =
    by === 'counterparty'
      ? await readCounterparties(context, read, { direction, currency, months: [...compared, ...shown] })
      : keysOf(read, by, direction);
  const { rows, other, all } = computeBreakdown(keys, { shown, compared: known });
  const { transactions: _, months, ...total } = toAmounts(all);
  return {
    object: 'breakdown',
    company_id: cash.companyId,
    by,
    direction,
    currency,
    compare,
    compared_from: compared[0] ?? null,
    compared_to: compared.at(-1) ?? null,
    months: months.map((one) => ({
      ...one,
      partial: one.month === monthOf(cash.today),
      covered: isCovered(one.month),
    })),
    ...total,
    rows: rows.map(({ key, name, ...sums }) => ({ key, name, ...toAmounts(sums) })),
    other: other ? { keys: other.keys, ...toAmounts(other) } : null,
    left_out: leftOutOf(read, { currency, direction, months: shown }),
    rules_applied_at: read.rulesAppliedAt,
  };
};

function toAmounts({ months, total, transactions, compared }: BreakdownSums) {
  return {
    months: months.map(({ month, amount }) => ({ month, ...exactCentsOf('amount', amount) })),
    ...exactCentsOf('total', total),
    transactions,
    ...exactCentsOf('compared_total', compared),
  };
}

/** The months to show and to compare with. Rejects months that the monthly figures can't have. */
function rangeOf(input: Input, current: string): { shown: string[]; compared: string[] } {
  const to = input.to ?? (input.from === current ? current : addMonths(current, -1));
  const from = input.from ?? addMonths(to, 1 - BURN_MONTHS);
  const oldest = addMonths(current, -OLDEST);
  rejectFields([
    to > current ? outOfRange('/to', `must not be after ${current}, the current month; got ${to}`) : undefined,
    from < oldest ? outOfRange('/from', `must not be before ${oldest}; got ${from}`) : undefined,
    from > to ? outOfRange('/from', `must not be after ${to}, the last month; got ${from}`) : undefined,
  ]);
  const shown = monthsBetween(from, to);
  const most = `must be at most ${MAX_BREAKDOWN_MONTHS} months up to ${to}; got ${from}, which is ${shown.length}`;
  rejectFields([shown.length > MAX_BREAKDOWN_MONTHS ? outOfRange('/from', most) : undefined]);
  const back = { previous: shown.length, year_before: 12, none: 0 }[input.compare];
  return { shown, compared: back === 0 ? [] : shown.map((month) => addMonths(month, -back)) };
}

function outOfRange(pointer: string, message: string): FieldError {
  return { pointer, code: 'date_out_of_range', message };
}

function keysOf(
  { keyed, windows, transfers, largeInflows }: ClassifiedRows,
  by: 'category' | 'connection',
  side: Side,
): KeySums[] {
  const keyOf = (row: KeyedRow): string => (by === 'category' ? normalizeCategory(row.category) : row.connectionId);
  const currency = keyed[0]?.flow.currency;
  const ofKey = (rows: readonly KeyedRow[]) =>
    Map.groupBy(
      rows.filter((row) => row.currency === currency),
      keyOf,
    );
  const [moved, inflows] = [ofKey(transfers), ofKey(largeInflows)];
  const monthIn = createMonthLookup(windows);
  return [...Map.groupBy(keyed, ({ key }) => key)].map(([key, sums]) => {
    const own = [moved.get(key) ?? [], inflows.get(key) ?? []] as const;
    const withoutPairs = leaveOut(
      sums.map(({ flow }) => flow),
      windows,
      own[0],
      'transfer',
    );
    const flows = leaveOut(withoutPairs, windows, own[1], 'unclassified');
    const ofSide = own.flat().filter(({ amount }) => (side === 'in' ? amount > 0n : amount < 0n));
    const gone = Map.groupBy(ofSide, ({ postedAt }) => monthIn(postedAt));
    return {
      key: key === '' ? null : key,
      name: null,
      amounts: new Map(flows.map((flow) => [flow.month, side === 'in' ? flow.moneyIn : flow.moneyOut])),
      transactions: new Map(
        sums.map(({ flow, counted }) => [flow.month, counted[side] - (gone.get(flow.month)?.length ?? 0)]),
      ),
    };
  });
}

interface LeftOutScope {
  currency: string;
  direction: Side;
  months: readonly string[];
}

function leftOutOf(
  { flows, keyed }: ClassifiedRows,
  { currency, direction, months }: LeftOutScope,
): OutputOf<Op>['left_out'] {
  const own = flows.filter((flow) => flow.currency === currency && months.includes(flow.month));
  const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);
  const isIn = direction === 'in';
  const [all, transfer] = [
    sum(own.map((flow) => (isIn ? flow.excludedIn : flow.excludedOut))),
    sum(own.map((flow) => (isIn ? flow.transferIn : flow.transferOut))),
  ];
  const labelled = keyed.filter(({ flow }) => months.includes(flow.month)).map(({ financingIn }) => financingIn);
  const financing = isIn ? sum(labelled) : 0n;
  return {
    ...exactCentsOf('transfer', transfer),
    ...exactCentsOf('financing', financing),
    ...exactCentsOf('excluded', all - transfer - financing),
  };
}
