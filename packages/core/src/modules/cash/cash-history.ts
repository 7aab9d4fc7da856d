import type { CashHistory, ExclusionReason } from '@finhook/contracts';
import { addDays } from '../../kernel/clock.ts';
import { exactCentsOf } from '../../kernel/exact-cents.ts';
import { type StreamBalance, sumCash } from './cash-on-hand.ts';

interface HistoryStream {
  connectionId: string;
  reason: ExclusionReason | null;
  /** The day from which it counts no more, of a disconnected connection. */
  endedOn: string | null;
  /** Its balances by day, oldest first, with the newest one of before the first day. */
  balances: readonly StreamBalance[];
}

export interface HistoryView {
  companyId: string;
  baseCurrency: string;
  from: string;
  to: string;
  streams: readonly HistoryStream[];
}

/**
 * Cash on each day: what was the newest balance of each stream by then. Days before a stream's first balance have no
 * point. On the last day a balance of the day after counts already, as in cash on hand. A disconnected connection has points,
 * which count, for the days before its end, and none on the last: it was cash, and is none any more.
 */
export function toCashHistory({ companyId, baseCurrency, from, to, streams }: HistoryView): CashHistory {
  const days = daysFrom(from, to);
  const known = streams.map((stream) => ({
    ...stream,
    points: days.flatMap((date) => {
      if (stream.endedOn !== null && (date >= stream.endedOn || date === to)) return [];
      const until = date === to ? addDays(to, 1) : date;
      const balance = stream.balances.findLast(({ as_of }) => as_of <= until);
      return balance ? [{ ...balance, date }] : [];
    }),
  }));
  const counted = known.filter(({ reason }) => reason !== 'user').flatMap(({ points }) => points);
  const byDay = Map.groupBy(counted, ({ date }) => date);
  const sums = days.flatMap((date) => sumCash(byDay.get(date) ?? [], baseCurrency).map((sum) => ({ ...sum, date })));
  const byCurrency = Map.groupBy(sums, ({ currency }) => currency);
  const order = sumCash(counted, baseCurrency).map(({ currency }) => currency);
  return {
    object: 'cash_history',
    company_id: companyId,
    from,
    to,
    lines: order.map((currency) => ({
      currency,
      points: (byCurrency.get(currency) ?? []).map(({ date, balance, members }) => ({
        date,
        ...exactCentsOf('balance', balance),
        streams: members.length,
      })),
    })),
    streams: known.map(({ connectionId, reason, points }) => ({
      connection_id: connectionId || null,
      excluded: reason,
      points: points.map(({ date, as_of, balance_cents, currency }) => ({ date, as_of, balance_cents, currency })),
    })),
  };
}

function daysFrom(from: string, to: string): string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}
