import { formatMoney } from '@finhook/contracts/currency';
import { formatDay } from '../../../lib/format-time.ts';
import type { Outputs } from '../../../lib/trpc.ts';
import type { PlotRow } from './plot.tsx';

type History = Outputs['cash']['history'];

interface BalanceRow extends PlotRow {
  date: string;
  values: number[];
}

interface Balances {
  names: string[];
  rows: BalanceRow[];
}

const MAX_SERIES = 6;
const OTHERS = 'Others';

const size = (value: bigint): bigint => (value < 0n ? -value : value);

/** A reconnected account keeps its name, so the end of the id distinguishes the connections. */
const labelOf = ({ id, name }: { id: string; name: string }, all: readonly { name: string }[]): string =>
  all.filter((other) => other.name === name).length > 1 ? `${name} ${id.slice(-4)}` : name;

/** Balances by series and day. The smallest series are one, and the total is last in each row. */
export function balancesOf(history: History, currency: string, nameOf: (id: string | null) => string): Balances {
  const series = history.streams
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
  const isFull = series.length > MAX_SERIES;
  const named = series.slice(0, isFull ? MAX_SERIES - 1 : MAX_SERIES);
  const names = [...named.map((one) => labelOf(one, named)), ...(isFull ? [OTHERS] : [])];
  const days = [...new Set(series.flatMap(({ byDay }) => [...byDay.keys()]))].sort();
  const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n);
  const rows = days.map((date) => {
    const at = series.map(({ byDay }) => byDay.get(date) ?? 0n);
    const values = [...at.slice(0, named.length), ...(isFull ? [sum(at.slice(named.length))] : [])];
    return {
      date,
      label: formatDay(date),
      values: values.map(Number),
      tip: [...values, sum(at)].map((value, i) => [names[i] ?? 'Total', formatMoney(value, currency)] as const),
    };
  });
  return { names, rows };
}
