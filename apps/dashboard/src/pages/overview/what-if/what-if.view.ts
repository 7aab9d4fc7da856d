import { formatMoney } from '@finhook/contracts/currency';
import { amountIn, bigOf } from '../../../lib/exact-cents.ts';
import { formatDay, formatMonth } from '../../../lib/format-time.ts';
import type { Inputs, Outputs } from '../../../lib/trpc.ts';
import type { PlotRow } from '../plots/plot.tsx';

export type Forecast = Outputs['financials']['forecast'];
export type Change = NonNullable<Inputs['financials']['forecast']['changes']>[number];

export const MAX_CHANGES = 5;

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

function changeOf(entry: unknown): Change | undefined {
  if (!isList(entry)) return undefined;
  const [label, amount, every, from, until] = entry;
  if (typeof label !== 'string' || typeof amount !== 'number' || !Number.isSafeInteger(amount)) return undefined;
  if ((every !== 'month' && every !== 'once') || typeof from !== 'string') return undefined;
  return { label, amount_cents: amount, every, from, ...(typeof until === 'string' && { until }) };
}

/** The changes in the address; what is not one is left out. */
export function parseChanges(text: string): Change[] {
  const entries = asJson(text);
  if (!isList(entries)) return [];
  return entries.flatMap((entry) => changeOf(entry) ?? []).slice(0, MAX_CHANGES);
}

/** The changes for the address: `[["Two engineers",-4500000,"month","2027-01"]]`. */
export function formatChanges(changes: readonly Change[]): string {
  return JSON.stringify(
    changes.map(({ label, amount_cents, every, from, until }) => [
      label,
      amount_cents,
      every,
      from,
      ...(until === undefined || until === null ? [] : [until]),
    ]),
  );
}

/** `-$45,000.00 a month from Jan 2027 to Mar 2027`. */
export function changeText({ amount_cents, every, from, until }: Change, currency: string): string {
  const amount = `${amount_cents > 0 ? '+' : ''}${formatMoney(amount_cents, currency)}`;
  if (every === 'once') return `${amount} in ${formatMonth(from)}`;
  return `${amount} a month from ${formatMonth(from)}${until == null ? '' : ` to ${formatMonth(until)}`}`;
}

/** A row of the comparison: without and with the changes. */
export type Compared = readonly [name: string, before: string, after: string];

const LATER = 'Not in 10 years';

export function comparedRows(before: Forecast, after: Forecast, today: string): Compared[] {
  const day = (date: string | null): string => (date === null ? LATER : formatDay(date));
  const raise = (date: string | null): string => (date === null ? LATER : date <= today ? 'Now' : formatDay(date));
  const last = [before, after].map(({ months }) => months.at(-1));
  const closing = last.map((month) => month && formatMoney(closingOf(month), after.currency ?? 'USD'));
  return [
    ['Cash-out date', day(before.cash_out_date), day(after.cash_out_date)],
    ['Raise by (6 months before)', raise(before.raise_by_date), raise(after.raise_by_date)],
    ...(last[0] === undefined
      ? []
      : [[`Cash at the end of ${formatMonth(last[0].month)}`, closing[0] ?? '–', closing[1] ?? '–'] as const]),
  ];
}

function closingOf(month: Forecast['months'][number]): bigint {
  const { cents, digits } = amountIn(month, 'closing');
  return bigOf(cents, digits);
}

export interface ForecastRow extends PlotRow {
  month: string;
  before: number;
  after: number;
}

/** The cash at the end of each month, without and with the changes. */
export function forecastRows(before: Forecast, after: Forecast): ForecastRow[] {
  const others = new Map(before.months.map((month) => [month.month, month]));
  return after.months.flatMap((month) => {
    const other = others.get(month.month);
    if (other === undefined) return [];
    const [was, is] = [closingOf(other), closingOf(month)];
    const money = (value: bigint): string => formatMoney(value, after.currency ?? 'USD');
    return {
      month: month.month,
      label: formatMonth(month.month),
      before: Number(was),
      after: Number(is),
      tip: [
        ['Without changes', money(was)],
        ['With changes', money(is)],
      ],
    } satisfies ForecastRow;
  });
}
