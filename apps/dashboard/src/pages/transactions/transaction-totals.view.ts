import { amountIn, bigOf } from '../../lib/exact-cents.ts';
import { MONTH, monthCount } from '../../lib/periods.ts';
import type { Outputs } from '../../lib/trpc.ts';
import type { TransactionSearch } from '../../search-names.ts';
import { areCurrent } from '../companies/rates.view.ts';
import { sumIn } from '../overview/convert.view.ts';

export interface Months {
  first: string;
  last: string;
}

/** The months that the figures are of. */
export function figureMonths({ month: first, month_to: last = first }: TransactionSearch): Months | undefined {
  if (first === undefined || last === undefined || !MONTH.test(first) || !MONTH.test(last)) return undefined;
  return first <= last ? { first, last } : undefined;
}

/** The number of months that the average is over; 1, which has none, if they are not all whole. */
export function averagedMonths(search: TransactionSearch, today: string): number {
  const months = figureMonths(search);
  const isWhole = search.posted_from === undefined && search.posted_to === undefined;
  if (months === undefined || !isWhole || months.last >= today.slice(0, 7)) return 1;
  return monthCount(months.first, months.last);
}

/** The months that one request classifies, at most. */
const MOST_MONTHS = 24;

/** The filter that selects the transfers among the rows; undefined where the service can't tell, or there are none. */
export function transfersFilter(search: TransactionSearch) {
  if (search.counts !== undefined || search.counted_as !== undefined) return undefined;
  const { posted_from, posted_to } = search;
  const posted = { month: posted_from?.slice(0, 7), month_to: posted_to?.slice(0, 7) };
  const isOpen = posted_from === undefined || posted_to === undefined;
  const months = search.month === undefined && isOpen ? undefined : figureMonths(search.month ? search : posted);
  if (months === undefined || monthCount(months.first, months.last) > MOST_MONTHS) return undefined;
  return { month: months.first, month_to: months.last, counted_as: 'transfer' as const };
}

type Total = NonNullable<Outputs['bank']['transactions']['list']['totals']>[number];
type Rates = Pick<Outputs['fxRates']['get'], 'as_of' | 'base' | 'rates'>;

export interface TotalLine {
  currency: string;
  /** It converts the others. */
  isTotal: boolean;
  in: string;
  out: string;
  net: string;
  /** The average of `net`, over several whole months. */
  average: string | undefined;
  transfers: { in: string; out: string } | undefined;
}

export interface TotalsInput {
  totals: readonly Total[];
  transfers: readonly Total[];
  /** The number of months that the average is over. */
  months: number;
  rates: Rates | undefined;
  base: string;
  today: string;
}

/** A line per currency, and one for all of them in the base currency while the exchange rates are known. */
export function totalLines({ totals, transfers, months, ...context }: TotalsInput): TotalLine[] {
  const averageOf = (net: bigint, currency: string): string | undefined =>
    months > 1
      ? sumIn(currency, [{ amount: net, currency }], { base: null, rates: {} }, months)?.toString()
      : undefined;
  const lines = totals.map((total): TotalLine => {
    const net = exact(total, 'net');
    const { currency } = total;
    const own = transfers.find((one) => one.currency === currency);
    return {
      currency,
      isTotal: false,
      in: `${exact(total, 'in')}`,
      out: `${exact(total, 'out')}`,
      net: `${net}`,
      average: averageOf(net, currency),
      transfers: own && { in: `${exact(own, 'in')}`, out: `${exact(own, 'out')}` },
    };
  });
  const total = totals.length > 1 ? convertedLine(totals, months, context) : undefined;
  return total ? [...lines, total] : lines;
}

function convertedLine(
  totals: readonly Total[],
  months: number,
  { rates, base, today }: Omit<TotalsInput, 'totals' | 'transfers' | 'months'>,
): TotalLine | undefined {
  if (rates === undefined || !areCurrent(rates.as_of, today)) return undefined;
  const sum = (name: 'in' | 'out' | 'net', share?: number): string | undefined => {
    const amounts = totals.map((total) => ({ amount: exact(total, name), currency: total.currency }));
    return sumIn(
      base,
      amounts.filter(({ amount }) => amount !== 0n),
      rates,
      share,
    )?.toString();
  };
  const [moneyIn, out, net] = [sum('in'), sum('out'), sum('net')];
  if (moneyIn === undefined || out === undefined || net === undefined) return undefined;
  const average = months > 1 ? sum('net', months) : undefined;
  return { currency: base, isTotal: true, in: moneyIn, out, net, average, transfers: undefined };
}

function exact(total: Total, name: 'in' | 'out' | 'net'): bigint {
  const { cents, digits } = amountIn<'in' | 'out' | 'net'>(total, name);
  return bigOf(cents, digits);
}
