import { sentenceCase } from '../../../components/badge.tsx';
import { type Amount, amountIn, bigOf, exactOf } from '../../../lib/exact-cents.ts';
import { plural } from '../../../lib/text.ts';
import type { Outputs } from '../../../lib/trpc.ts';

export type Breakdown = Outputs['financials']['breakdown'];

/** A line of what the money goes on. */
export interface SpendLine {
  /** Undefined for the sum of the others. */
  key: string | null | undefined;
  label: string;
  /** The name as rows spell it; null for a category. */
  name: string | null;
  total: Amount;
  /** Percent of the largest line. */
  share: number;
  /** Against the months before. */
  change: string;
}

const MOST_LINES = 7;
const FULL = 10_000n;

/** The largest lines, and the sum of all others. */
export function spendLines({ by, rows, other }: Breakdown): SpendLine[] {
  const known = rows.filter(({ total_cents, total_string }) => bigOf(total_cents, total_string) > 0n);
  const shown = known.slice(0, MOST_LINES);
  const rest = [...rows.filter((row) => !shown.includes(row)), ...(other === null ? [] : [other])];
  const restCount = known.length - shown.length + (other?.keys ?? 0);
  const largest = bigOf(shown[0]?.total_cents ?? null, shown[0]?.total_string);
  type Named = Pick<SpendLine, 'key' | 'label' | 'name'>;
  const lineOf = (named: Named, total: bigint, before: bigint | undefined): SpendLine => ({
    ...named,
    total: { cents: null, digits: `${total}` },
    share: largest <= 0n ? 0 : Math.min(100, Number((total * FULL) / largest) / 100),
    change: changeText(total, before),
  });
  const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);
  return [
    ...shown.map((row) => {
      const { key, name } = row;
      return lineOf({ key, name, label: labelOf(by, row) }, totalOf(row), beforeOf(row));
    }),
    ...(restCount === 0
      ? []
      : [
          lineOf(
            { key: undefined, name: null, label: plural(restCount, 'other') },
            sum(rest.map(totalOf)),
            rest.every((row) => beforeOf(row) !== undefined) ? sum(rest.map((row) => beforeOf(row) ?? 0n)) : undefined,
          ),
        ]),
  ];
}

type Sums = Pick<
  Breakdown['rows'][number],
  'total_cents' | 'total_string' | 'compared_total_cents' | 'compared_total_string'
>;

const totalOf = ({ total_cents, total_string }: Sums): bigint => bigOf(total_cents, total_string);

function beforeOf(row: Sums): bigint | undefined {
  const { cents, digits } = amountIn(row, 'compared_total');
  return exactOf(cents, digits) === null ? undefined : bigOf(cents, digits);
}

function labelOf(by: Breakdown['by'], { key, name }: Pick<Breakdown['rows'][number], 'key' | 'name'>): string {
  if (key === null) return by === 'category' ? 'Without a category' : 'Without a name';
  return name ?? sentenceCase(key);
}

/** `+12 %` against the months before; `new` if there was nothing, and `–` if it is not known. */
export function changeText(total: bigint, before: bigint | undefined): string {
  if (before === undefined) return '–';
  if (before <= 0n) return total > 0n ? 'new' : '–';
  const percent = Math.round(Number(((total - before) * FULL) / before) / 100);
  if (percent === 0) return '0 %';
  return `${percent > 0 ? '+' : '\u2212'}${Math.abs(percent).toLocaleString('en')} %`;
}

/** A label as the service compares it: lower case, with `_` for other characters than letters and digits. */
const normalOf = (label: string): string =>
  label
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');

/** The label of the rows of a line, if they have a single one: the list of transactions filters by exact labels. */
export function exactLabel(
  { key, name }: Pick<SpendLine, 'key' | 'name'>,
  labels: ReadonlyArray<string | null>,
): string | undefined {
  if (key == null || name !== null) return name ?? undefined;
  const own = new Set(labels.filter((label) => label !== null && normalOf(label) === normalOf(key)));
  const [only] = own;
  return own.size === 1 ? (only ?? undefined) : undefined;
}
