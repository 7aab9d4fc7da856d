import {
  type ArrayColumn,
  booleanColumn,
  columnArrays,
  columnNames,
  intColumn,
  textColumn,
  timestamptzColumn,
  unnestSql,
} from '../../db/binary-array.ts';
import { retryOnConflict } from '../../db/database-error.ts';
import { type Queryable, systemStatement } from '../../db/queryable.ts';
import { transaction } from '../../outbox/transaction.ts';
import type { Core } from '../../verbs/context.ts';
import type { AttemptRecord, Disposition } from './attempt.ts';
import { emitDeliveryExhausted, isExhausting } from './emit-delivery-exhausted.ts';

const jsonOf = (value: unknown): string | undefined => (value === undefined ? undefined : JSON.stringify(value));

// A response that is cut in the middle of a character ends with U+FFFD.
const columns: readonly ArrayColumn<AttemptRecord>[] = [
  textColumn('id', ({ claim }) => claim.deliveryId),
  textColumn('account', ({ claim }) => claim.accountId),
  textColumn('token', ({ claim }) => claim.leaseToken),
  textColumn('disposition', ({ disposition }) => disposition.kind),
  intColumn('delay_ms', ({ disposition }) => delayOf(disposition)),
  intColumn('n', ({ claim }) => claim.attempt),
  textColumn('trigger', ({ claim }) => claim.trigger),
  timestamptzColumn('at', ({ at }) => at.getTime()),
  intColumn('duration_ms', ({ durationMs }) => Math.round(durationMs)),
  intColumn('status_code', ({ statusCode }) => statusCode),
  textColumn('error', ({ error }) => error),
  textColumn('error_message', ({ errorMessage }) => errorMessage),
  textColumn('error_code', ({ errorCode }) => errorCode),
  textColumn('snippet', ({ responseSnippet }) => responseSnippet),
  booleanColumn('truncated', ({ responseTruncated }) => responseTruncated ?? false),
  textColumn('url', ({ evidence }) => evidence?.url),
  textColumn('address', ({ evidence }) => evidence?.remoteAddress),
  booleanColumn('reused', ({ evidence }) => evidence?.timings?.reused),
  intColumn('dns_ms', ({ evidence }) => evidence?.timings?.dnsMs),
  intColumn('connect_ms', ({ evidence }) => evidence?.timings?.connectMs),
  intColumn('tls_ms', ({ evidence }) => evidence?.timings?.tlsMs),
  intColumn('first_byte_ms', ({ evidence }) => evidence?.timings?.firstByteMs),
  textColumn('sent', ({ evidence }) => jsonOf(evidence?.requestHeaders)),
  textColumn('answered', ({ evidence }) => jsonOf(evidence?.responseHeaders)),
];

const moved = (name: string): string => `((SELECT by_id FROM moves) -> delivery_id ->> '${name}')`;
const kind = moved('disposition');
const isHeld = `account_id = ANY (ARRAY(SELECT account FROM accounts)) AND lease_token = ANY (ARRAY(SELECT token FROM tokens))`;
const ofLate = (column: string): string => `(SELECT r.${column} FROM r WHERE r.id = d.id LIMIT 1)`;
const later = `now() + ${moved('delay_ms')}::int * interval '1 millisecond'`;

// Rows of `due` are found by key, not by a join: a plan made while the table was nearly empty would read a whole backlog.
// The lease token is the fence: a worker suspended past its lease only logs its attempt. Pending delivery rows change only
// in columns without an index. A retry requested during an automatic attempt has moved `due_at`, which then stays: the
// retry follows at once, and `restore` after it returns to the schedule, kept in `next_attempt_at`.
const record = systemStatement(
  'record_attempts',
  `WITH r AS (SELECT * FROM ${unnestSql(columns, 1)} AS r (${columnNames(columns)})),
   held AS MATERIALIZED (
     SELECT r.id, r.account, r.token, r.disposition, r.delay_ms, r.n FROM r CROSS JOIN LATERAL (
       SELECT FROM due WHERE delivery_id = r.id AND account_id = r.account AND lease_token = r.token LIMIT 1
     ) d
   ),
   tokens AS (SELECT DISTINCT token FROM held),
   accounts AS (SELECT DISTINCT account FROM held),
   ended AS (
     DELETE FROM due
     WHERE delivery_id = ANY (ARRAY(SELECT id FROM held WHERE disposition IN ('succeeded', 'failed')))
       AND ${isHeld}
     RETURNING delivery_id, NULL::timestamptz AS next_attempt_at
   ),
   moves AS MATERIALIZED (
     SELECT array_agg(id) AS ids,
       jsonb_object_agg(id, jsonb_build_object('disposition', disposition, 'delay_ms', delay_ms, 'n', n)) AS by_id
     FROM held WHERE disposition IN ('retry', 'restore', 'again')
   ),
   kept AS (
     UPDATE due SET
       due_at = CASE
         WHEN ${kind} = 'again' OR ${kind} = 'retry' AND due_at IS DISTINCT FROM next_attempt_at THEN due_at
         WHEN ${kind} = 'retry' THEN ${later} ELSE next_attempt_at END,
       next_attempt_at = CASE ${kind} WHEN 'retry' THEN ${later} ELSE next_attempt_at END,
       step = step + (${kind} = 'retry')::int,
       attempt_count = CASE ${kind} WHEN 'again' THEN ${moved('n')}::int + 1 ELSE attempt_count END,
       lease_token = CASE ${kind} WHEN 'again' THEN lease_token END,
       lease_until = CASE ${kind} WHEN 'again' THEN ${later} END
     WHERE delivery_id = ANY ((SELECT ids FROM moves)::text[]) AND ${isHeld}
     RETURNING delivery_id, next_attempt_at
   ),
   done AS (
     UPDATE delivery d SET
       status = CASE WHEN r.disposition IN ('succeeded', 'failed') THEN r.disposition ELSE d.status END,
       attempt_count = r.n, next_attempt_at = f.next_attempt_at, last_status_code = r.status_code,
       last_error = r.error, updated_at = now()
     FROM r JOIN (SELECT * FROM ended UNION ALL SELECT * FROM kept) f ON f.delivery_id = r.id
     WHERE d.id = r.id AND d.account_id = r.account
     RETURNING d.id
   ),
   -- Cancelled while the request was in flight: the result is stored, and a success counts.
   late AS (
     UPDATE delivery d SET
       status = CASE WHEN ${ofLate('disposition')} = 'succeeded' THEN 'succeeded' ELSE d.status END,
       attempt_count = greatest(d.attempt_count, ${ofLate('n')}), last_status_code = ${ofLate('status_code')},
       last_error = ${ofLate('error')}, updated_at = now()
     WHERE d.id = ANY (ARRAY(SELECT id FROM r WHERE id <> ALL (ARRAY(SELECT id FROM held))))
       AND d.account_id = ANY (ARRAY(SELECT account FROM r)) AND d.status = 'cancelled'
   ),
   logged AS (
     INSERT INTO attempt (delivery_id, account_id, n, trigger, at, duration_ms, status_code, error, error_message,
       error_code, response_snippet, response_truncated, url, remote_address, connection_reused, dns_ms, connect_ms,
       tls_ms, first_byte_ms, request_headers, response_headers, disposition)
     SELECT id, account, n, trigger, at, duration_ms, status_code, error, error_message,
       error_code, snippet, truncated, url, address, reused, dns_ms, connect_ms,
       tls_ms, first_byte_ms, sent::json, answered::json,
       CASE WHEN id = ANY (ARRAY(SELECT id FROM held)) THEN disposition END FROM r
     ON CONFLICT DO NOTHING
   )
   SELECT id FROM done`,
);

/** Writes attempts in one statement. Returns the deliveries that this worker still held. Idempotent. */
export async function recordAttempts(core: Core, records: readonly AttemptRecord[]): Promise<Set<string>> {
  if (records.length === 0) return new Set();
  // The deletion of an endpoint locks the same rows in another order.
  return retryOnConflict(() => write(core, records));
}

async function write(core: Core, records: readonly AttemptRecord[]): Promise<Set<string>> {
  const exhausting = records.filter(isExhausting);
  if (exhausting.length === 0) return store(core.database, records);
  // oxlint-disable-next-line finhook/transaction-records -- emitDeliveryExhausted adds both
  return transaction(core, { records: 'audit and event' }, async (tx) => {
    const held = await store(tx, records);
    await emitDeliveryExhausted(
      tx,
      core,
      exhausting.filter(({ claim }) => held.has(claim.deliveryId)),
    );
    return held;
  });
}

async function store(db: Queryable, records: readonly AttemptRecord[]): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>(record, columnArrays(columns, records));
  return new Set(rows.map(({ id }) => id));
}

const LONGEST_MS = 2 ** 31 - 1;

// Clamp: one overflow would fail the whole batch.
function delayOf(disposition: Disposition): number {
  if (disposition.kind === 'retry') return Math.min(Math.round(disposition.delayMs), LONGEST_MS);
  return disposition.kind === 'again' ? Math.round(disposition.leaseMs) : 0;
}
