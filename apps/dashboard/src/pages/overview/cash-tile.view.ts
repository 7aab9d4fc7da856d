import { formatMoney } from '@finhook/contracts/currency';
import { type Amount, amountIn, bigOf, exactOf } from '../../lib/exact-cents.ts';
import { formatDay } from '../../lib/format-time.ts';
import { plural } from '../../lib/text.ts';
import type { Outputs } from '../../lib/trpc.ts';

type OnHand = Outputs['cash']['onHand'];
type CashLine = OnHand['lines'][number];
type History = Outputs['cash']['history'];

export function asOfText({ oldest_as_of, newest_as_of, streams }: CashLine): string {
  const days =
    oldest_as_of === newest_as_of
      ? `As of ${formatDay(newest_as_of)}`
      : `As of ${formatDay(oldest_as_of)} to ${formatDay(newest_as_of)}`;
  return `${days} · ${plural(streams, 'connection')}`;
}

/** What the tile says in place of a figure. */
export function noCashText(isExcluded: boolean, isDissolved: boolean): string {
  if (isExcluded) return 'All balances are excluded.';
  if (isDissolved) return 'The company is dissolved and has no balances.';
  return 'No balance yet. Post one or connect a bank.';
}

export function cashCautions({ lines, excluded, warnings }: OnHand): string[] {
  const cautions = lines
    .filter(({ stale_streams }) => stale_streams > 0)
    .map((line) => {
      const amount = formatMoney(bigOf(line.stale_cents, line.stale_string), line.currency);
      const connections = plural(line.stale_streams, 'stale connection');
      return `${amount} of the ${line.currency} total is from ${connections}.`;
    });
  for (const line of lines) {
    if (bigOf(line.balance_cents, line.balance_string) < 0n)
      cautions.push(`The ${line.currency} balance is overdrawn.`);
  }
  if (lines.length > 1) {
    cautions.push(`${lines.length} currencies. Amounts are not converted or added up.`);
  }
  cautions.push(...warnings.map(({ message }) => message));
  const count = (reason: string): number => excluded.filter((series) => series.reason === reason).length;
  if (count('disconnected') > 0)
    cautions.push(`Excluded: ${plural(count('disconnected'), 'disconnected connection')}.`);
  if (count('user') > 0) cautions.push(`Excluded in settings: ${plural(count('user'), 'connection')}.`);
  return cautions;
}

type CountedTwice = NonNullable<Outputs['financials']['dataQuality']['counted_twice']>;

/** The connections that repeat another, and both figures of each currency. */
export function countedTwiceText(
  { connections, figures }: CountedTwice,
  nameOf: (connectionId: string | null) => string,
): string {
  const pairs = connections.map(({ connection_id, repeats }) => `${nameOf(connection_id)} repeats ${nameOf(repeats)}`);
  const both = figures.flatMap((figure) => {
    const text = (all: Amount, once: Amount): string[] =>
      exactOf(all.cents, all.digits) === null
        ? []
        : [all, once].map(({ cents, digits }) => formatMoney(bigOf(cents, digits), figure.currency));
    const cash = text(amountIn(figure, 'cash'), amountIn(figure, 'cash_once'));
    const burn = text(amountIn(figure, 'gross_burn'), amountIn(figure, 'gross_burn_once'));
    return [
      ...(cash.length > 0 ? [`cash is ${cash.join(', counted once ')}`] : []),
      ...(burn.length > 0 ? [`gross burn is ${burn.join(', counted once ')}`] : []),
    ];
  });
  return `Counted twice? ${[pairs.join(', '), ...both].join('; ')}.`;
}

export function spokenCash({ lines, excluded }: OnHand): string {
  if (lines.length === 0) return `Cash on hand: ${excluded.length > 0 ? 'all balances excluded' : 'no balance yet'}`;
  const amounts = lines.map((line) => formatMoney(bigOf(line.balance_cents, line.balance_string), line.currency));
  return `Cash on hand: ${amounts.join(', ')}`;
}

export function sparkOf(history: History, currency: string): { values: bigint[]; label: string } | undefined {
  const points = history.lines.find((line) => line.currency === currency)?.points ?? [];
  const values = points.map((point) => bigOf(point.balance_cents, point.balance_string));
  const [first] = points;
  const [opening, closing] = [values[0], values.at(-1)];
  if (first === undefined || opening === undefined || closing === undefined) return undefined;
  const from = `${formatMoney(opening, currency)} on ${formatDay(first.date)}`;
  return { values, label: `${currency} balance by day, from ${from} to ${formatMoney(closing, currency)} now` };
}
