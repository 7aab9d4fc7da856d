import { statement } from '../../db/queryable.ts';
import type { Core } from '../../kernel/context.ts';

// One probe per id: a list would be looked up in every partition.
const readTraces = statement(
  'read_traces',
  `SELECT w.id, ev.traceparent FROM unnest($1::text[]) AS w (id)
   JOIN LATERAL (SELECT traceparent FROM event WHERE id = w.id LIMIT 1) ev ON ev.traceparent IS NOT NULL`,
);

/** The `traceparent` of each of these events, if its request had one. Only read when attempts are traced. */
export async function readTraceparents(core: Core, eventIds: readonly string[]): Promise<Map<string, string>> {
  if (eventIds.length === 0) return new Map();
  const rows = await core.database.query<{ id: string; traceparent: string }>(readTraces, [[...new Set(eventIds)]]);
  return new Map(rows.map(({ id, traceparent }) => [id, traceparent]));
}
