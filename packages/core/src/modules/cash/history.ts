import type { AccountType, CashHistory, ExclusionReason, FieldError, operations } from '@finhook/contracts';
import { assertCompanyAccess } from '../../access/access.ts';
import { statement } from '../../db/queryable.ts';
import { exactCentsOf } from '../../input/exact-arithmetic.ts';
import { addDays } from '../../time/calendar.ts';
import { companyNotFound, rejectFields } from '../../verbs/domain-error.ts';
import type { Verb } from '../../verbs/verb.ts';
import { type SeriesBalance, sumCash } from './cash-on-hand.ts';
import { disconnectedCtes, isCashType, seriesCtes } from './series-sql.ts';

/** Limit of series times days per response: about 8 MB. One day is always allowed. */
const MAX_POINTS = 100_000;

interface Row {
  base_currency: string;
  today: string;
  stream_count: number;
  /** Null above the limit. */
  series:
    | {
        connection_id: string;
        account_type: AccountType;
        reason: ExclusionReason | null;
        ended_on: string | null;
        balances: SeriesBalance[];
      }[]
    | null;
}

const readHistory = statement(
  'read_cash_history',
  `WITH RECURSIVE ${seriesCtes}, ${disconnectedCtes},
   days AS (
     SELECT s.connection_id, s.account_type, s.reason, e.day AS ended_on, (
       SELECT json_agg(b ORDER BY b.as_of) FROM (
         (SELECT connection_id, as_of, balance_cents, currency FROM cash_balance
          WHERE company_id = $1 AND connection_id = s.connection_id AND as_of <= c.today - $4::int
          ORDER BY as_of DESC LIMIT 1)
         UNION ALL
         (SELECT connection_id, as_of, balance_cents, currency FROM cash_balance
          WHERE company_id = $1 AND connection_id = s.connection_id
            AND as_of > c.today - $4::int AND as_of <= c.today + 1)
       ) b
     ) AS balances
     FROM judged s LEFT JOIN ended e USING (connection_id) CROSS JOIN c
   )
   SELECT c.base_currency, c.today, n.stream_count, CASE WHEN $4::int = 0 OR n.stream_count * ($4::int + 1) <= ${MAX_POINTS}
            THEN (SELECT coalesce(json_agg(days ORDER BY connection_id), '[]') FROM days) END AS series
   FROM c, (SELECT count(*)::int AS stream_count FROM judged) n`,
);

export const getCashHistory: Verb<typeof operations.cash.history> = async (context, input) => {
  assertCompanyAccess(context, input.company_id);
  const before = input.days - 1;
  const [row] = await context.database.query<Row>(readHistory, [
    input.company_id,
    context.accountId,
    context.clock.now().toISOString(),
    before,
  ]);
  if (!row) throw companyNotFound();
  rejectFields([row.series === null ? tooManyDays(row.stream_count) : undefined]);
  return toCashHistory({
    companyId: input.company_id,
    baseCurrency: row.base_currency,
    from: addDays(row.today, -before),
    to: row.today,
    series: (row.series ?? []).map(({ connection_id, account_type, reason, ended_on, balances }) => ({
      connectionId: connection_id,
      isCash: isCashType(account_type),
      reason,
      endedOn: ended_on,
      balances,
    })),
  });
};

function tooManyDays(series: number): FieldError {
  const most = Math.max(1, Math.floor(MAX_POINTS / series));
  const days = most === 1 ? '1 day' : `${most} days`;
  const message = `must be at most ${days}: the company has ${series} streams, and a response holds ${MAX_POINTS} points`;
  return { pointer: '/days', code: 'out_of_range', message };
}

interface HistorySeries {
  connectionId: string;
  isCash: boolean;
  reason: ExclusionReason | null;
  endedOn: string | null;
  balances: readonly SeriesBalance[];
}

interface HistoryView {
  companyId: string;
  baseCurrency: string;
  from: string;
  to: string;
  series: readonly HistorySeries[];
}

// Sums each series' newest balance per day. As in cash on hand, a balance of tomorrow counts today. A disconnected
// connection counts until the day before its end.
function toCashHistory({ companyId, baseCurrency, from, to, series }: HistoryView): CashHistory {
  const days = daysFrom(from, to);
  const known = series.map((one) => ({
    ...one,
    points: days.flatMap((date) => {
      if (one.endedOn !== null && (date >= one.endedOn || date === to)) return [];
      const until = date === to ? addDays(to, 1) : date;
      const balance = one.balances.findLast(({ as_of }) => as_of <= until);
      return balance ? [{ ...balance, date }] : [];
    }),
  }));
  const counted = known.filter(({ isCash, reason }) => isCash && reason !== 'user').flatMap(({ points }) => points);
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
