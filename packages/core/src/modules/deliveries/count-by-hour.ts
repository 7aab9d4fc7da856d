import { type DeliveryCounts, type operations, parseInstant } from '@finhook/contracts';
import { Filters } from '../../lists/keyset.ts';
import { toTimestamp } from '../../time/clock.ts';
import { rejectFields } from '../../verbs/domain-error.ts';
import type { InputOf, Verb } from '../../verbs/verb.ts';
import { selectByIndex, selectByRow } from './select-deliveries.ts';

type Op = typeof operations.deliveries.counts;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MAX_DAYS = 7;
/** Deliveries that one call reads, the newest of the time. */
const MAX_ROWS = 100_000;

interface HourRow {
  hour: string;
  read: number;
  first: string;
  succeeded: number;
  failed: number;
  waiting: number;
  cancelled: number;
}

/** The columns that the filters read. */
const columns = `id, account_id, company_id, event_id, event_type, endpoint_id, status, attempt_count, last_status_code,
  created_at, updated_at`;

const chosenAs = (name: string, status: string): string =>
  `count(*) FILTER (WHERE chosen AND status = '${status}')::int AS ${name}`;

/** The limit is below the filters of each row, so that a filter that selects little doesn't read more. */
export const countDeliveries: Verb<Op> = async (context, input) => {
  const { from, to } = timeOf(input, context.clock.now().getTime());
  const time = { created_from: new Date(from).toISOString(), created_to: new Date(to).toISOString() };
  const indexed = new Filters();
  await selectByIndex(indexed, context, { ...input, ...time });
  const chosen = new Filters(indexed.values);
  selectByRow(chosen, context, input);
  const rows = await context.database.query<HourRow>(
    `SELECT date_trunc('hour', created_at, 'UTC') AS hour, count(*)::int AS read, min(created_at) AS first,
       ${chosenAs('succeeded', 'succeeded')}, ${chosenAs('failed', 'failed')}, ${chosenAs('waiting', 'pending')},
       ${chosenAs('cancelled', 'cancelled')}
     FROM (
       SELECT created_at, status, (${chosen.sql}) AS chosen
       FROM (SELECT ${columns} FROM delivery WHERE ${indexed.sql} ORDER BY id DESC LIMIT ${MAX_ROWS}) delivery OFFSET 0
     ) d GROUP BY 1 ORDER BY 1`,
    chosen.values,
  );
  const isComplete = rows.reduce((sum, { read }) => sum + read, 0) < MAX_ROWS;
  const countedFrom = isComplete ? from : Date.parse(rows[0]?.first ?? time.created_from);
  return {
    object: 'delivery_counts',
    from: time.created_from,
    to: time.created_to,
    counted_from: new Date(countedFrom).toISOString(),
    hours: hoursOf(rows, countedFrom, to),
  };
};

function timeOf({ created_from, created_to }: InputOf<Op>, now: number): { from: number; to: number } {
  const to = (created_to === undefined ? undefined : parseInstant(created_to)) ?? now;
  const from = (created_from === undefined ? undefined : parseInstant(created_from)) ?? Math.max(to - DAY, 0);
  const message =
    from >= to
      ? 'must be before created_to'
      : `must be at most ${MAX_DAYS} days before created_to, which is now if left out`;
  const isWrong = from >= to || to - from > MAX_DAYS * DAY;
  rejectFields([isWrong ? { pointer: '/created_from', code: 'out_of_range', message } : undefined]);
  return { from, to };
}

function hoursOf(rows: readonly HourRow[], from: number, to: number): DeliveryCounts['hours'] {
  const counted = new Map(rows.map((row) => [Date.parse(toTimestamp(row.hour)), row]));
  const first = Math.floor(from / HOUR) * HOUR;
  return Array.from({ length: Math.ceil((to - first) / HOUR) }, (_, i) => {
    const row = counted.get(first + i * HOUR);
    return {
      hour: new Date(first + i * HOUR).toISOString(),
      succeeded: row?.succeeded ?? 0,
      failed: row?.failed ?? 0,
      waiting: row?.waiting ?? 0,
      cancelled: row?.cancelled ?? 0,
    };
  });
}
