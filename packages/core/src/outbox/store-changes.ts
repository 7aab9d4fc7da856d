import { textArray } from '../db/binary-array.ts';
import { type Queryable, systemStatement } from '../db/queryable.ts';
import { type Collector, emitCtes, newDeliveriesSql } from './emit.ts';
import type { HandOffs, NewDelivery } from './hand-off.ts';
import { auditRowColumns, auditRowValues, insertAuditRows } from './record-change.ts';
import { takePositions } from './sequence-sql.ts';

const audits = `json_to_recordset($1) AS r (${auditRowColumns}, event_ids text[])`;

// The body is a separate parameter, because JSON would escape its quotes again.
const eventsFrom = (more = '') =>
  `json_to_recordset($2) AS e (id text, account_id text, company_id text, type text, created_at timestamptz,
      internal boolean, n int)${more}`;

const counts = `
  SELECT account_id, count(event), count(audit) FROM (
    SELECT account_id, 1 AS event, NULL::int AS audit FROM ${eventsFrom()} UNION ALL SELECT a1, NULL, 1 FROM ${audits}
  ) taken GROUP BY account_id`;

const storeSql = (body: string, from: string): string => `
  WITH ${takePositions(counts)},
  au AS (${insertAuditRows(`(SELECT * FROM ${audits})`, 'r.event_ids')}),
  ${emitCtes({
    source: `SELECT e.id, e.account_id, e.company_id, e.type, e.created_at, ${body}, e.internal FROM ${from}`,
    anyType: true,
    leaseMs: '$4::int',
    ...(body === '$3::text' ? { body } : {}),
  })}
  ${newDeliveriesSql}`;

const storeOne = systemStatement('store_changes', storeSql('$3::text', eventsFrom()));
const storeMany = systemStatement(
  'store_many_changes',
  storeSql('b.body', eventsFrom(' JOIN unnest($3::text[]) WITH ORDINALITY AS b (body, n) ON b.n = e.n')),
);

/** Stores audit rows, events and their deliveries with one statement. */
export async function storeChanges(
  db: Queryable,
  { audits: rows, events }: Collector['pending'],
  handOffs: HandOffs,
): Promise<void> {
  if (rows.length === 0 && events.length === 0) return;
  const own = events.map(({ id }) => id);
  const auditRows = rows.map(({ values, eventIds = own }) => ({
    ...auditRowValues(values),
    event_ids: eventIds.length === 0 ? null : eventIds,
  }));
  const bodies: string[] = [];
  const eventRows = events.map(({ body, ...event }) => ({ ...event, n: bodies.push(body) }));
  const stored = await db.query<NewDelivery>(events.length > 1 ? storeMany : storeOne, [
    JSON.stringify(auditRows),
    JSON.stringify(eventRows),
    events.length > 1 ? textArray(bodies) : (bodies[0] ?? null),
    handOffs.startLease(),
  ]);
  handOffs.add(stored, events);
}
