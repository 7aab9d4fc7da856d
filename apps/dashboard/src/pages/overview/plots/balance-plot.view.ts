import { formatMoney } from '@finhook/contracts/currency';
import { formatDay } from '../../../lib/format-time.ts';
import type { Outputs } from '../../../lib/trpc.ts';
import { drawn, type PlotRow } from './plot-row.ts';

type History = Outputs['cash']['history'];

interface BalanceRow extends PlotRow {
  date: string;
  values: number[];
  /** The exact figures, followed by the sum. */
  figures: string[];
}

interface Balances {
  series: string[];
  rows: BalanceRow[];
}

const MAX_SERIES = 6;
const OTHERS = 'Others';

const size = (value: bigint): bigint => (value < 0n ? -value : value);

/** A reconnected account keeps its name, so the end of the id distinguishes the connections. */
const labelOf = ({ id, name }: { id: string; name: string }, all: readonly { name: string }[]): string =>
  all.filter((other) => other.name === name).length > 1 ? `${name} ${id.slice(-4)}` : name;

export function balancesOf(history: History, currency: string, nameOf: (id: string | null) => string): Balances {
  const streams = history.streams
    .filter(({ excluded }) => excluded !== 'user')
    .map(({ connection_id, excluded, points }) => {
      const own = points.filter((point) => point.currency === currency);
      return {
        id: connection_id ?? '',
        name: `${nameOf(connection_id)}${excluded === null ? '' : ' (disconnected)'}`,
        byDay: new Map(own.map(({ date, balance_cents }) => [date, BigInt(balance_cents)])),
        last: BigInt(own.at(-1)?.balance_cents ?? 0),
      };
    })
    .filter(({ byDay }) => byDay.size > 0)
    .sort((a, b) => Number(size(b.last) > size(a.last)) - Number(size(b.last) < size(a.last)));
  const isFull = streams.length > MAX_SERIES;
  const named = streams.slice(0, isFull ? MAX_SERIES - 1 : MAX_SERIES);
  const series = [...named.map((stream) => labelOf(stream, named)), ...(isFull ? [OTHERS] : [])];
  const days = [...new Set(streams.flatMap(({ byDay }) => [...byDay.keys()]))].sort();
  const rows = days.map((date) => {
    const at = streams.map(({ byDay }) => byDay.get(date) ?? 0n);
    const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n);
    const values = [...at.slice(0, named.length), ...(isFull ? [sum(at.slice(named.length))] : [])];
    const figures = [...values, sum(at)].map((value) => formatMoney(value, currency));
    const names = [...series, 'All'];
    return {
      date,
      label: formatDay(date),
      values: values.map(drawn),
      figures,
      tip: names.map((name, i) => [name, figures[i] ?? ''] as const),
    };
  });
  return { series, rows };
}
