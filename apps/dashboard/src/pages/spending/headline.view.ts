import { currencyExponent, formatMoney } from '@finhook/contracts/currency';
import { bigOf } from '../../lib/exact-cents.ts';
import type { Outputs } from '../../lib/trpc.ts';
import { type Breakdown, beforeOf, breakdownLines, changeText } from './breakdown.view.ts';
import { type MonthRange, monthsSince, spokenMonths } from './period.view.ts';

/** Amounts from here on are told in whole units. */
const WHOLE_FROM = 1_000n;

/** `$453,468`, rounded half up; an amount below 1,000 units has its minor units. */
export function toldMoney(value: bigint, currency: string): string {
  const unit = 10n ** BigInt(currencyExponent(currency));
  if (value < WHOLE_FROM * unit || unit === 1n) return formatMoney(`${value}`, currency);
  const whole = ((value + unit / 2n) / unit) * unit;
  return formatMoney(`${whole}`, currency).replace(/\.0+$/, '');
}

/**
 * The months that the monthly figures must have to tell which currencies a breakdown leaves out. Undefined if they can't:
 * they are of all accounts, and of the months that the service knows.
 */
export function monthsToTell(
  { from, connection_id }: Pick<MonthRange, 'from'> & { connection_id?: string | undefined },
  today: string,
): number | undefined {
  return connection_id === undefined ? monthsSince(from, today) : undefined;
}

/**
 * Tells what was spent, how that compares, which vendor grew most, and which currencies the figures leave out. `vendors`
 * is by counterparty.
 */
export function spendingHeadline(
  vendors: Breakdown,
  today: string,
  monthly: Pick<Outputs['financials']['monthly'], 'months'> | undefined,
): string {
  const { months, currency } = vendors;
  const [from, to] = [months[0]?.month ?? '', months.at(-1)?.month ?? ''];
  const total = bigOf(vendors.total_cents, vendors.total_string);
  const isOpen = months.some(({ partial }) => partial);
  const spent = toldMoney(total, currency);
  const subject =
    total === 0n
      ? isOpen
        ? 'No money has gone out so far'
        : 'No money went out'
      : isOpen
        ? `You have spent ${spent} so far`
        : `You spent ${spent}`;
  const first = `${subject} ${spokenMonths({ from, to }, today)}`;
  // The months to compare with are whole.
  const compared = isOpen
    ? [`${first}.`]
    : [`${first}${comparisonText(vendors, total, today)}.`, riserText(vendors, today)];
  return [...compared, otherCurrenciesText(vendors, monthly?.months ?? [])]
    .filter((text) => text !== undefined)
    .join(' ');
}

function otherCurrenciesText(
  { currency, months }: Breakdown,
  known: Outputs['financials']['monthly']['months'],
): string | undefined {
  const shown = new Set(months.map(({ month }) => month));
  const spent = known
    .filter(({ month }) => shown.has(month))
    .flatMap(({ flows }) => flows)
    .filter((flow) => flow.currency !== currency && bigOf(flow.money_out_cents, flow.money_out_string) > 0n);
  const names = [...new Set(spent.map((flow) => flow.currency))].toSorted();
  return names.length === 0 ? undefined : `Money out in ${names.join(' and ')} is not included.`;
}

function comparisonText(vendors: Breakdown, total: bigint, today: string): string {
  const { compared_from: from, compared_to: to, currency } = vendors;
  if (from === null || to === null) return '';
  const then = spokenMonths({ from, to }, today);
  const before = beforeOf(vendors);
  if (before === undefined) return `. The data ${then} is incomplete, so there is no comparison`;
  if (before === total) return `, as much as ${then}`;
  if (before === 0n) return ` and nothing ${then}`;
  const change = total - before;
  return `, ${toldMoney(change < 0n ? -change : change, currency)} ${change < 0n ? 'less' : 'more'} than ${then}`;
}

/** The vendor that grew most, preferably of those that were paid before; undefined if none grew. */
function riserText(vendors: Breakdown, today: string): string | undefined {
  const { compared_from: from, compared_to: to, currency } = vendors;
  const growths = breakdownLines(vendors).flatMap((line) =>
    line.key == null || line.before === undefined || line.total <= line.before
      ? []
      : [{ line, before: line.before, growth: line.total - line.before }],
  );
  const paidBefore = growths.filter(({ before }) => before > 0n);
  const [first, ...others] = paidBefore.length > 0 ? paidBefore : growths;
  if (first === undefined || from === null || to === null) return undefined;
  const { line, growth, before } = others.reduce((most, one) => (one.growth > most.growth ? one : most), first);
  const amount = toldMoney(growth, currency);
  const then = spokenMonths({ from, to }, today);
  if (before === 0n) return `${line.label} was paid ${amount}, and nothing ${then}.`;
  const change = changeText(line.total, before);
  return growths.some((one) => one.growth > growth)
    ? `Of the vendors also paid ${then}, ${line.label} grew most: by ${amount} (${change}).`
    : `${line.label} grew by ${amount} (${change}).`;
}
