import { type FieldError, MAX_BREAKDOWN_MONTHS, normalizeCurrency, type operations } from '@finhook/contracts';
import { storedConnection } from '../../../ids/connection-id.ts';
import { exactCentsOf } from '../../../input/exact-arithmetic.ts';
import { rejectFields } from '../../../verbs/domain-error.ts';
import type { InputOf, OutputOf, Verb } from '../../../verbs/verb.ts';
import { type ClassifiedRows, classifyRows } from './classify-rows.ts';
import { type BreakdownSums, computeBreakdown, type KeySums } from './compute-breakdown.ts';
import type { MonthFlow } from './compute-burn.ts';
import { normalizeCategory } from './figure-rules.ts';
import { createMonthLookup, type KeyedRow, leaveOut } from './leave-out.ts';
import { addMonths, BURN_MONTHS, monthOf, monthsBetween } from './months.ts';
import { readCounterparties } from './read-counterparties.ts';
import type { FlowOptions } from './read-flows.ts';
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
  const connectionId = storedConnection(input.connection_id);
  const keyedBy = { by: by === 'connection' ? by : 'category', currency, connectionId } as const;
  const read = await classifyRows(context, { cash, rules, first, last: shown.at(-1), keyedBy });
  const isCovered = (month: string): boolean => read.coverageFrom !== undefined && month >= read.coverageFrom;
  const known = compared.length > 0 && compared.every(isCovered) ? compared : undefined;
  const keyed = keyedSums(read, keyedBy);
  const keys =
    by === 'counterparty'
      ? await readCounterparties(context, read, { direction, currency, connectionId, months: [...compared, ...shown] })
      : keyed.map((one) => keySumsOf(one, direction));
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
    left_out: leftOutOf(keyed, direction, shown),
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

interface KeyedSums {
  key: string;
  /** The rows of `transfers` and `largeInflows` are left out. */
  flows: readonly MonthFlow[];
  counted: ReadonlyMap<string, { in: number; out: number }>;
  financingIn: ReadonlyMap<string, bigint>;
}

function keyedSums(
  { keyed, windows, transfers, largeInflows }: ClassifiedRows,
  { by, currency, connectionId }: NonNullable<FlowOptions['keyedBy']>,
): KeyedSums[] {
  const keyOf = (row: KeyedRow): string => (by === 'category' ? normalizeCategory(row.category) : row.connectionId);
  const isOwn = (row: KeyedRow): boolean =>
    row.currency === currency && (connectionId === undefined || row.connectionId === connectionId);
  const [moved, inflows] = [transfers, largeInflows].map((rows) => Map.groupBy(rows.filter(isOwn), keyOf));
  const monthIn = createMonthLookup(windows);
  return [...Map.groupBy(keyed, ({ key }) => key)].map(([key, sums]) => {
    const own = [moved?.get(key) ?? [], inflows?.get(key) ?? []] as const;
    const withoutPairs = leaveOut(
      sums.map(({ flow }) => flow),
      windows,
      own[0],
      'transfer',
    );
    const gone = Map.groupBy(own.flat(), ({ postedAt }) => monthIn(postedAt));
    const countGone = (month: string, sign: 1n | -1n): number =>
      gone.get(month)?.filter(({ amount }) => amount * sign > 0n).length ?? 0;
    return {
      key,
      flows: leaveOut(withoutPairs, windows, own[1], 'unclassified'),
      counted: new Map(
        sums.map(({ flow: { month }, counted }) => [
          month,
          { in: counted.in - countGone(month, 1n), out: counted.out - countGone(month, -1n) },
        ]),
      ),
      financingIn: new Map(sums.map(({ flow, financingIn }) => [flow.month, financingIn])),
    };
  });
}

function keySumsOf({ key, flows, counted }: KeyedSums, side: Side): KeySums {
  return {
    key: key === '' ? null : key,
    name: null,
    amounts: new Map(flows.map((flow) => [flow.month, side === 'in' ? flow.moneyIn : flow.moneyOut])),
    transactions: new Map([...counted].map(([month, counts]) => [month, counts[side]])),
  };
}

function leftOutOf(keyed: readonly KeyedSums[], side: Side, months: readonly string[]): OutputOf<Op>['left_out'] {
  const isIn = side === 'in';
  const sum = (amountOf: (flow: MonthFlow, of: KeyedSums) => bigint): bigint =>
    keyed
      .flatMap((of) => of.flows.filter(({ month }) => months.includes(month)).map((flow) => amountOf(flow, of)))
      .reduce((total, amount) => total + amount, 0n);
  const all = sum((flow) => (isIn ? flow.excludedIn : flow.excludedOut));
  const transfer = sum((flow) => (isIn ? flow.transferIn : flow.transferOut));
  const financing = isIn ? sum(({ month }, { financingIn }) => financingIn.get(month) ?? 0n) : 0n;
  return {
    ...exactCentsOf('transfer', transfer),
    ...exactCentsOf('financing', financing),
    ...exactCentsOf('excluded', all - transfer - financing),
  };
}
