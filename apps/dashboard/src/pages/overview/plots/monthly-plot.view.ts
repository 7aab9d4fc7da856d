import { formatMoney } from '@finhook/contracts/currency';
import { bigOf } from '../../../lib/exact-cents.ts';
import { formatMonth } from '../../../lib/format-time.ts';
import type { Outputs } from '../../../lib/trpc.ts';
import { drawn, type PlotRow } from './plot-row.ts';

type Monthly = Outputs['financials']['monthly'];

interface MonthRow extends PlotRow {
  month: string;
  partial: boolean;
  moneyIn: number;
  moneyOut: number;
  /** Null for the incomplete current month, which has `netToDate` instead. */
  net: number | null;
  netToDate: number | null;
  figures: readonly [moneyIn: string, moneyOut: string, net: string];
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
    const money = (value: bigint): string => formatMoney(value, currency);
    const figures = [money(moneyIn), money(moneyOut), money(net)] as const;
    return {
      hasFlow: flow !== undefined,
      row: {
        month,
        partial,
        label: partial ? `${formatMonth(month)} to date` : formatMonth(month),
        moneyIn: drawn(moneyIn),
        moneyOut: drawn(moneyOut),
        net: partial ? null : drawn(net),
        netToDate: partial ? drawn(net) : null,
        figures,
        tip: [
          ['In', figures[0]],
          ['Out', figures[1]],
          ['Net', figures[2]],
        ] as const,
      },
    };
  });
  const first = rows.findIndex(({ hasFlow }) => hasFlow);
  return first === -1 ? [] : rows.slice(first).map(({ row }) => row);
}
