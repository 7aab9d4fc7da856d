import type { Core } from '../../kernel/context.ts';
import { statement } from '../../kernel/database.ts';

// Hops from endpoint to endpoint along the index, so that a backlog of a million rows costs as little as one.
const find = statement(
  'find_due_endpoints',
  `WITH RECURSIVE t (endpoint_id) AS (
     (SELECT endpoint_id FROM due ORDER BY endpoint_id LIMIT 1)
     UNION ALL
     SELECT (SELECT d.endpoint_id FROM due d WHERE d.endpoint_id > t.endpoint_id ORDER BY d.endpoint_id LIMIT 1)
     FROM t WHERE t.endpoint_id IS NOT NULL
   )
   SELECT t.endpoint_id FROM t
   JOIN webhook_endpoint e ON e.id = t.endpoint_id AND e.status = 'active' AND e.deleted_at IS NULL
   WHERE EXISTS (
     SELECT FROM due d WHERE d.endpoint_id = t.endpoint_id
       AND d.due_at <= now() - $1::int * interval '1 millisecond' AND (d.lease_until IS NULL OR d.lease_until < now())
   )`,
);

/** Endpoints with a delivery that was due `graceMs` ago and that no worker holds: their wake-up was lost or is late. */
export async function findDueEndpoints(core: Core, graceMs: number): Promise<string[]> {
  const rows = await core.database.query<{ endpoint_id: string }>(find, [graceMs]);
  return rows.map(({ endpoint_id }) => endpoint_id);
}
