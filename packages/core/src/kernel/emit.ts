import { type EventData, type EventType, events } from '@finhook/contracts';
import type { Core } from './context.ts';
import { sqlRandomIdPart } from './ids.ts';
import { statement } from './queryable.ts';
import type { Work } from './transaction.ts';

export interface NewEvent<T extends EventType> {
  type: T;
  accountId: string;
  /** Absent for account-level events. */
  companyId?: string;
  data: EventData<T>;
  /** An endpoint that must not receive it (`webhook_endpoint.failing` is never sent to the failing one). */
  exceptEndpointId?: string;
  /** For the account's own people and agents: only endpoints that asked for such events receive it. */
  internal?: boolean;
}

/** An event ready to be stored: `body` is the exact text that is signed and sent. */
export interface PreparedEvent {
  id: string;
  values: readonly unknown[];
}

// Of an event's id: its time and its place in the millisecond. Deliveries begin with them too, so that an endpoint with
// `ordered` gets the events of one transaction, which are due at the same moment, in their order.
const ORDERED_CHARS = 11;

/**
 * SQL that stores an event and one delivery with its due row for each subscribed endpoint, to be put in a WITH list.
 * Its eight parameters begin at `$first`; `gate` names a CTE whose single row allows it (no row: nothing is stored).
 * Internal events have SQL of their own, so that the others pay nothing for them.
 */
export function emitCtes(first: number, gate?: string, internal = false): string {
  const p = (offset: number): string => `$${first + offset}`;
  const from = gate === undefined ? '' : ` FROM ${gate}`;
  const [column, value, wanted] = internal ? [', internal', ', true', '\n       AND e.include_internal'] : ['', '', ''];
  return `
    ev AS (
      INSERT INTO event (id, account_id, company_id, type, created_at, body${column})
      SELECT ${p(0)}::text, ${p(1)}::text, ${p(2)}::text, ${p(3)}::text, ${p(4)}::timestamptz, ${p(5)}::text${value}${from}
      RETURNING id, account_id, company_id, type, created_at
    ),
    dl AS (
      INSERT INTO delivery (id, account_id, company_id, event_id, event_type, endpoint_id, created_at, updated_at)
      SELECT 'dlv_' || ${p(6)}::text || substr(${sqlRandomIdPart}, 2), ev.account_id, ev.company_id, ev.id, ev.type, e.id,
             ev.created_at, ev.created_at
      FROM ev JOIN webhook_endpoint e
        ON e.account_id = ev.account_id AND e.deleted_at IS NULL
       AND (e.events = '{}' OR ev.type = ANY (e.events))
       AND (e.company_id IS NULL OR e.company_id = ev.company_id)
       AND e.id IS DISTINCT FROM ${p(7)}::text${wanted}
      RETURNING id, account_id, event_id, endpoint_id
    ),
    du AS (
      INSERT INTO due (delivery_id, account_id, event_id, endpoint_id, due_at, next_attempt_at)
      SELECT id, account_id, event_id, endpoint_id, now(), now() FROM dl
      RETURNING endpoint_id
    )`;
}

const insertEvent = statement('insert_event', `WITH ${emitCtes(1)} SELECT endpoint_id FROM du`);
const insertInternalEvent = statement(
  'insert_internal_event',
  `WITH ${emitCtes(1, undefined, true)} SELECT endpoint_id FROM du`,
);

/** Checks the data against the catalogue and makes the envelope's bytes once; nothing serialises it again. */
export function prepareEvent<T extends EventType>(core: Core, event: NewEvent<T>): PreparedEvent {
  const at = core.clock.now();
  const id = core.newId('evt');
  // The schema says which fields there are; their values are taken as given, because zod leaves out `__proto__` keys.
  const fields = Object.keys(events[event.type].data.parse(event.data));
  const envelope = {
    id,
    type: event.type,
    created_at: at.toISOString(),
    account_id: event.accountId,
    company_id: event.companyId,
    data: Object.fromEntries(fields.map((field) => [field, Reflect.get(event.data, field)])),
  };
  return {
    id,
    values: [
      id,
      event.accountId,
      event.companyId ?? null,
      event.type,
      envelope.created_at,
      JSON.stringify(envelope),
      id.slice('evt_'.length, 'evt_'.length + ORDERED_CHARS),
      event.exceptEndpointId ?? null,
    ],
  };
}

/** Stores an event and its deliveries in the caller's transaction and returns the event's id. */
export async function emit<T extends EventType>(tx: Work, core: Core, event: NewEvent<T>): Promise<string> {
  const prepared = prepareEvent(core, event);
  const rows = await tx.query<{ endpoint_id: string }>(
    event.internal ? insertInternalEvent : insertEvent,
    prepared.values,
  );
  for (const { endpoint_id } of rows) tx.woken.add(endpoint_id);
  return prepared.id;
}
