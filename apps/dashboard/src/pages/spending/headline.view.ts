import { currencyExponent, formatMoney } from '@finhook/contracts/currency';
import { bigOf } from '../../lib/exact-cents.ts';
import { type Breakdown, type BreakdownLine, beforeOf, breakdownLines, changeText } from './breakdown.view.ts';
import { spokenMonths } from './period.view.ts';

/** Amounts from here on are told in whole units. */
const WHOLE_FROM = 1_000n;

/** `$453,468`, rounded half up; an amount below 1,000 units has its minor units. */
export function toldMoney(value: bigint, currency: string): string {
  const unit = 10n ** BigInt(currencyExponent(currency));
  if (value < WHOLE_FROM * unit || unit === 1n) return formatMoney(`${value}`, currency);
  const whole = ((value + unit / 2n) / unit) * unit;
  return formatMoney(`${whole}`, currency).replace(/\.0+$/, '');
}

/** Tells what was spent, how that compares, and which vendor grew most. `vendors` is by counterparty. */
export function spendingHeadline(vendors: Breakdown, today: string): string {
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
  if (isOpen) return `${first}.`;
  return [`${first}${comparisonText(vendors, total, today)}.`, riserText(breakdownLines(vendors), currency)]
    .filter((text) => text !== undefined)
    .join(' ');
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

/** The vendor that grew most; undefined if none did. */
function riserText(lines: readonly BreakdownLine[], currency: string): string | undefined {
  let riser: { line: BreakdownLine; growth: bigint; before: bigint } | undefined;
  for (const line of lines) {
    if (line.key == null || line.before === undefined) continue;
    const growth = line.total - line.before;
    if (growth > (riser?.growth ?? 0n)) riser = { line, growth, before: line.before };
  }
  if (riser === undefined) return undefined;
  const { line, growth, before } = riser;
  const amount = toldMoney(growth, currency);
  return before === 0n
    ? `${line.label} is new: ${amount}.`
    : `${line.label} grew by ${amount} (${changeText(line.total, before)}).`;
}
