import type { ExclusionReason, FieldError, operations } from '@finhook/contracts';
import { assertReach } from '../../kernel/access.ts';
import { addDays } from '../../kernel/clock.ts';
import type { Context } from '../../kernel/context.ts';
import { companyNotFound, invalidFields } from '../../kernel/domain-error.ts';
import { statement } from '../../kernel/queryable.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { toCashHistory } from './cash-history.ts';
import type { StreamBalance } from './cash-on-hand.ts';
import { endedCtes } from './ended-sql.ts';
import { streamCtes } from './read-streams.ts';

type Op = typeof operations.cash.history;

/** Streams times days of one answer: about 8 MB. One day is always given. */
const MAX_POINTS = 100_000;

interface Row {
  base_currency: string;
  today: string;
  stream_count: number;
  /** null when they have more points than an answer holds. */
  streams:
    | { connection_id: string; reason: ExclusionReason | null; ended_on: string | null; balances: StreamBalance[] }[]
    | null;
}

const readHistory = statement(
  'read_cash_history',
  `WITH RECURSIVE ${streamCtes}, ${endedCtes},
   days AS (
     SELECT s.connection_id, s.reason, e.day AS ended_on, (
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
            THEN (SELECT coalesce(json_agg(days ORDER BY connection_id), '[]') FROM days) END AS streams
   FROM c, (SELECT count(*)::int AS stream_count FROM judged) n`,
);

/** Cash at the end of each of the last days, for plots; the last day is today. Refuses more days than fit an answer. */
export async function getCashHistory(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  assertReach(context, input.company_id);
  const before = input.days - 1;
  const [row] = await context.database.query<Row>(readHistory, [
    input.company_id,
    context.accountId,
    context.clock.now().toISOString(),
    before,
  ]);
  if (!row) throw companyNotFound();
  invalidFields([row.streams === null ? tooManyDays(row.stream_count) : undefined]);
  return toCashHistory({
    companyId: input.company_id,
    baseCurrency: row.base_currency,
    from: addDays(row.today, -before),
    to: row.today,
    streams: (row.streams ?? []).map(({ connection_id, reason, ended_on, balances }) => ({
      connectionId: connection_id,
      reason,
      endedOn: ended_on,
      balances,
    })),
  });
}

function tooManyDays(streams: number): FieldError {
  const most = Math.max(1, Math.floor(MAX_POINTS / streams));
  const days = most === 1 ? '1 day' : `${most} days`;
  const message = `must be at most ${days}: the company has ${streams} streams, and an answer holds ${MAX_POINTS} points`;
  return { pointer: '/days', code: 'out_of_range', message };
}
