import { type AnyEventType, type EventData, eventDefinition } from '@finhook/contracts';
import { sqlRandomIdPart } from '../ids/ids.ts';
import type { Context } from '../verbs/context.ts';
import type { AuditCollector } from './audit.ts';
import { positionSql } from './sequence-sql.ts';
import { mayGetNotices, notAboutItself, subscribes, thinSql, wantsOrdinary } from './subscription-sql.ts';

export interface NewEvent<T extends AnyEventType> {
  type: T;
  /** Absent for events of the account. */
  companyId?: string;
  data: EventData<T>;
  internal?: boolean;
}

/** `body` is the exact text that is signed and sent. */
interface PreparedEvent {
  id: string;
  account_id: string;
  company_id: string | null;
  type: AnyEventType;
  created_at: string;
  body: string;
}

interface PendingEvent extends PreparedEvent {
  internal: boolean;
  traceparent: string | undefined;
}

/** Audit rows and events that a transaction stores last (`storeChanges`). */
export interface Collector extends AuditCollector {
  readonly pending: AuditCollector['pending'] & { readonly events: PendingEvent[] };
}

type EventContext = Pick<Context, 'accountId' | 'clock' | 'newId' | 'database'>;

// Time and counter of the event's id. The ids of its deliveries begin with them.
const ORDERED_PART = `substr(ev.id, ${'evt_'.length + 1}, 11)`;

/**
 * SQL: false if the payload filter of endpoint `e` rejects the event with the text `body`. Unless `body` is a column,
 * it is parsed once per statement, if any endpoint has a filter.
 */
export function acceptsSql(body: string): string {
  const accepted = `jsonb_path_match((SELECT event_document(${body})), e.filter_path, e.filter, true)`;
  return `(e.filter_path IS NULL OR ${accepted} IS NOT FALSE)`;
}

export interface EmitSql {
  /** A SELECT of id, account_id, company_id, type, created_at and body of the events to store, with casts. */
  source: string;
  /** The source's last column is `traceparent`, for events of several requests. */
  traced?: boolean;
  /** Events of any type, with `internal` as last column. By default, neither operational nor internal. */
  anyType?: boolean;
  /** SQL of a body that is not a column, to parse it only once. */
  body?: string;
  /** SQL of the lease of new deliveries in ms (`DeliveryQueue.leaseMs`). Default: none, they are due. */
  leaseMs?: string;
}

/**
 * CTEs that store events, and per subscribed endpoint a delivery with its `due` row. Deliveries to healthy endpoints
 * without limits are leased; the token is the event's id. Needs the CTE `sq` (`takePositions`) before it.
 */
export function emitCtes({
  source,
  anyType = false,
  traced = false,
  body = 'ev.body',
  leaseMs = '0',
}: EmitSql): string {
  const wanted = anyType
    ? `${subscribes('ev', 'e')} AND ${mayGetNotices('ev', 'e')} AND ${notAboutItself('ev', 'e', body)}`
    : `${wantsOrdinary('ev', 'e')} AND (e.company_id IS NULL OR e.company_id = ev.company_id)`;
  const stored = body === 'ev.body' ? ', body' : '';
  const columns = `id, account_id, company_id, type, created_at, body${traced ? ', traceparent' : ''}${anyType ? ', internal' : ''}`;
  return `
    ev AS (
      INSERT INTO event (${columns}, position)
      SELECT s.*, ${positionSql('position', 's.account_id', 's.id')}
      FROM (${source}) s (${columns}) JOIN sq ON sq.account_id = s.account_id
      RETURNING id, account_id, company_id, type, created_at, position${stored}${anyType ? ', internal' : ''}
    ),
    fresh AS MATERIALIZED (
      SELECT 'dlv_' || ${ORDERED_PART} || substr(${sqlRandomIdPart}, 2) AS id, ev.account_id, ev.company_id, ev.id AS event_id,
             ev.type, ev.position, e.id AS endpoint_id, ev.created_at, e.xmin::text AS version, e.status = 'active' AS active,
             ${leaseMs} > 0 AND e.status = 'active' AND NOT e.gated AND e.consecutive_failures = 0 AS leased,
             CASE WHEN e.payload = 'thin' THEN ${thinSql(body)} END AS thin_body
      FROM ev JOIN webhook_endpoint e
        ON e.account_id = ev.account_id AND e.deleted_at IS NULL AND ${wanted} AND ${acceptsSql(body)}
    ),
    dl AS (
      INSERT INTO delivery (id, account_id, company_id, event_id, event_type, endpoint_id, created_at, updated_at,
        thin_body)
      SELECT id, account_id, company_id, event_id, type, endpoint_id, created_at, created_at, thin_body FROM fresh
    ),
    du AS (
      INSERT INTO due (delivery_id, account_id, event_id, endpoint_id, position, due_at, next_attempt_at, attempt_count,
        lease_token, lease_until, thin)
      SELECT id, account_id, event_id, endpoint_id, position, now(), now(), leased::int, CASE WHEN leased THEN event_id END,
        CASE WHEN leased THEN clock_timestamp() + ${leaseMs} * interval '1 millisecond' END, thin_body IS NOT NULL
      FROM fresh
    )`;
}

/** The columns of `NewDelivery`. Deliveries to paused and disabled endpoints wait. */
export const newDeliveriesSql =
  'SELECT id, event_id, position::text, account_id, endpoint_id, version, leased, thin_body FROM fresh WHERE active';

/** Validates the data against the catalogue and serialises the envelope. */
function prepareEvent<T extends AnyEventType>(
  { accountId, clock, newId }: Omit<EventContext, 'database'>,
  event: NewEvent<T>,
): PreparedEvent {
  const at = clock.now();
  const id = newId('evt');
  // Copies the values instead of taking zod's output, which drops `__proto__` keys.
  const fields = Object.keys(eventDefinition(event.type).data.parse(event.data));
  const envelope = {
    id,
    type: event.type,
    created_at: at.toISOString(),
    account_id: accountId,
    company_id: event.companyId,
    data: Object.fromEntries(fields.map((field) => [field, Reflect.get(event.data, field)])),
  };
  const { data: _, ...stored } = envelope;
  return { ...stored, company_id: event.companyId ?? null, body: JSON.stringify(envelope) };
}

/** Adds an event, which the transaction stores last with its deliveries. Returns its id. */
export function emit<T extends AnyEventType>(tx: Collector, context: EventContext, event: NewEvent<T>): string {
  const prepared = prepareEvent(context, event);
  const { traceparent } = context.database;
  tx.pending.events.push({ ...prepared, internal: event.internal ?? false, traceparent });
  return prepared.id;
}
