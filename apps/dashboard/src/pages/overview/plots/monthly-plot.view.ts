import { formatMoney } from '@finhook/contracts/currency';
import { bigOf } from '../../../lib/exact-cents.ts';
import { formatMonth } from '../../../lib/format-time.ts';
import type { Outputs } from '../../../lib/trpc.ts';
import type { PlotRow } from './plot.tsx';

type Monthly = Outputs['financials']['monthly'];

interface MonthRow extends PlotRow {
  month: string;
  partial: boolean;
  moneyIn: number;
  moneyOut: number;
  /** Null for the incomplete current month, which has `netToDate` instead. */
  net: number | null;
  netToDate: number | null;
}

/**
 * Money in, out and net of one currency by month, from the first month with data; later months without data are zero.
 */
export function monthRows({ months }: Monthly, currency: string): MonthRow[] {
  const rows = months.map(({ month, partial, flows }) => {
    const flow = flows.find((line) => line.currency === currency);
    const moneyIn = flow ? bigOf(flow.money_in_cents, flow.money_in_string) : 0n;
    const moneyOut = flow ? bigOf(flow.money_out_cents, flow.money_out_string) : 0n;
    const net = moneyIn - moneyOut;
    return {
      hasFlow: flow !== undefined,
      row: {
        month,
        partial,
        label: partial ? `${formatMonth(month)} to date` : formatMonth(month),
        moneyIn: Number(moneyIn),
        moneyOut: Number(moneyOut),
        net: partial ? null : Number(net),
        netToDate: partial ? Number(net) : null,
        tip: [
          ['In', formatMoney(moneyIn, currency)],
          ['Out', formatMoney(moneyOut, currency)],
          ['Net', formatMoney(net, currency)],
        ] as const,
      },
    };
  });
  const first = rows.findIndex(({ hasFlow }) => hasFlow);
  return first === -1 ? [] : rows.slice(first).map(({ row }) => row);
}
