import { sentenceCase } from '../../components/badge.tsx';
import { amountIn, bigOf, exactOf } from '../../lib/exact-cents.ts';
import { formatChange } from '../../lib/format-number.ts';
import { plural } from '../../lib/text.ts';
import type { Outputs } from '../../lib/trpc.ts';
import type { RowFilter } from '../overview/rows.view.ts';

export type Breakdown = Outputs['financials']['breakdown'];
type Row = Breakdown['rows'][number];

/** What the money of a category, vendor or account adds up to. */
export interface BreakdownLine {
  /** Null for transactions without one, undefined for the sum of the others. */
  key: string | null | undefined;
  label: string;
  total: bigint;
  /** In the months to compare with; undefined if it is not known. */
  before: bigint | undefined;
  transactions: number;
}

type NameOf = (connectionId: string | null) => string;

/** The lines in the order of the service, and the sum of the others as the last one. */
export function breakdownLines({ by, rows, other }: Breakdown, nameOf: NameOf = String): BreakdownLine[] {
  const lines = rows.map((row) => ({ key: row.key, label: labelOf(by, row, nameOf), ...sumsOf(row) }));
  return other === null ? lines : [...lines, { key: undefined, label: plural(other.keys, 'other'), ...sumsOf(other) }];
}

type Sums = Pick<
  Row,
  'total_cents' | 'total_string' | 'compared_total_cents' | 'compared_total_string' | 'transactions'
>;

function sumsOf(sums: Sums): Pick<BreakdownLine, 'total' | 'before' | 'transactions'> {
  const { total_cents, total_string, transactions } = sums;
  return { total: bigOf(total_cents, total_string), before: beforeOf(sums), transactions };
}

/** The sum of the months to compare with; undefined if it is not known. */
export function beforeOf(sums: Pick<Row, 'compared_total_cents' | 'compared_total_string'>): bigint | undefined {
  const { cents, digits } = amountIn(sums, 'compared_total');
  return exactOf(cents, digits) === null ? undefined : bigOf(cents, digits);
}

function labelOf(by: Breakdown['by'], { key, name }: Pick<Row, 'key' | 'name'>, nameOf: NameOf): string {
  if (by === 'connection') return nameOf(key);
  if (key === null) return by === 'category' ? 'Without a category' : 'Without a vendor';
  return name ?? sentenceCase(key);
}

const FULL = 10_000n;

/** Percent of the whole: at most 100, and of something at least 0.01. */
export function shareOf(part: bigint, whole: bigint): number {
  if (whole <= 0n || part <= 0n) return 0;
  const share = (part * FULL) / whole;
  return Math.min(100, Number(share > 0n ? share : 1n) / 100);
}

/** `+12 %` against the months before; `from 0` if there was nothing then, and `–` if it is not known. */
export function changeText(total: bigint, before: bigint | undefined): string {
  if (before === undefined) return '–';
  if (before <= 0n) return total > 0n ? 'from 0' : '–';
  return formatChange(Math.round(Number(((total - before) * FULL) / before) / 100));
}

const filterNames = {
  category: 'category_key',
  counterparty: 'counterparty_key',
  connection: 'connection_id',
} as const;

interface LineRows {
  breakdown: Breakdown;
  key?: string | null | undefined;
  /** The account that the breakdown is of. */
  account?: string | undefined;
  countedAs?: RowFilter['countedAs'];
}

/** The transactions that a line consists of; without a key, those of all lines. */
export function rowsOfLine({ breakdown, key, account, countedAs }: LineRows): RowFilter {
  const { by, months, currency, direction } = breakdown;
  return {
    months: months.map(({ month }) => month),
    currency,
    direction,
    ...(countedAs !== undefined && { countedAs }),
    ...(account !== undefined && { connection_id: account }),
    ...(key !== undefined && { [filterNames[by]]: key ?? (by === 'connection' ? 'none' : 'NONE') }),
  };
}
