import { formatMoney } from '@finhook/contracts/currency';
import { bigOf, exactOf } from '../../../lib/exact-cents.ts';
import { formatMonth } from '../../../lib/format-time.ts';
import type { Outputs } from '../../../lib/trpc.ts';
import { baseCurrencyFirst } from '../burn.view.ts';
import type { BalanceFilter } from '../rows.view.ts';
import { runwayAtEnd } from '../runway.view.ts';
import type { PlotRow } from './plot.tsx';

type Monthly = Outputs['financials']['monthly'];

/** The flows to draw: those of one currency, or the total of all. */
export interface MonthlyChoice {
  currency: string;
  isTotal: boolean;
}

/** In this order: the total, if there are several currencies and it is known; the base currency; the others. */
export function monthlyChoices({ months }: Monthly, base: string): MonthlyChoice[] {
  const seen = [...new Set(months.flatMap(({ flows }) => flows.map(({ currency }) => currency)))].sort();
  const single = baseCurrencyFirst(
    seen.map((currency) => ({ currency, isTotal: false })),
    base,
  );
  const hasTotal = seen.length > 1 && months.some(({ total }) => total !== null);
  return [...(hasTotal ? [{ currency: base, isTotal: true }] : []), ...single];
}

/** The currency of the transactions and balances behind the figures; undefined if those are of all. */
export const rowsIn = ({ currency, isTotal }: MonthlyChoice): string | undefined => (isTotal ? undefined : currency);

export interface MonthRow extends PlotRow {
  month: string;
  partial: boolean;
  moneyIn: number;
  moneyOut: number;
  /** Null for the incomplete current month, which has `netToDate` instead. */
  net: number | null;
  netToDate: number | null;
  /** Cash at the end of the month; null if it is not known. */
  closing: number | null;
}

/** The balances behind the closing cash: the current ones while the month has not ended. */
export function closingBalances({ month, partial }: MonthRow, choice: MonthlyChoice): BalanceFilter {
  return { until: partial ? undefined : month, currency: rowsIn(choice) };
}

/** Money in, out, net and the closing cash by month, from the first month with data; later months without data are zero. */
export function monthRows({ months }: Monthly, { currency, isTotal }: MonthlyChoice): MonthRow[] {
  const rows = months.map(({ month, partial, flows, total }) => {
    const flow = isTotal ? total : flows.find((line) => line.currency === currency);
    const moneyIn = flow ? bigOf(flow.money_in_cents, flow.money_in_string) : 0n;
    const moneyOut = flow ? bigOf(flow.money_out_cents, flow.money_out_string) : 0n;
    const net = moneyIn - moneyOut;
    const closing = flow ? exactOf(flow.closing_cash_cents, flow.closing_cash_string) : null;
    return {
      hasFlow: flow != null,
      row: {
        month,
        partial,
        label: partial ? `${formatMonth(month)} to date` : formatMonth(month),
        moneyIn: Number(moneyIn),
        moneyOut: Number(moneyOut),
        net: partial ? null : Number(net),
        netToDate: partial ? Number(net) : null,
        closing: closing === null ? null : Number(closing),
        tip: [
          ['In', formatMoney(moneyIn, currency)],
          ['Out', formatMoney(moneyOut, currency)],
          ['Net', formatMoney(net, currency)],
          ['Closing cash', closing === null ? '–' : formatMoney(closing, currency)],
          ['Runway', flow ? runwayAtEnd(flow) : '–'],
        ] as const,
      },
    };
  });
  const first = rows.findIndex(({ hasFlow }) => hasFlow);
  return first === -1 ? [] : rows.slice(first).map(({ row }) => row);
}
