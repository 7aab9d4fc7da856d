import { accountsOf, systemStatement } from '../../db/queryable.ts';
import type { EndpointRef } from '../../outbox/delivery-queue.ts';
import type { Core } from '../../verbs/context.ts';
import { readHeaders } from '../webhooks/endpoint-headers.ts';
import { privateKeyAad, secretAad } from '../webhooks/webhook-endpoint.entity.ts';

/** Decrypts lazily, so that a damaged row fails one endpoint and not its batch. */
type Sealed<T> = () => T;

interface Columns {
  endpointId: string;
  accountId: string;
  /** The row's version (xmin). */
  version: string;
  url: string;
  consecutiveFailures: number;
  /** Consecutive attempts without a response. */
  unreachable: number;
  gated: boolean;
  ordered: boolean;
  maxConcurrency: number | null;
  /** True if a success must be recorded, because it ends a limit, pause or breaker. */
  degraded: boolean;
  breakerOpen: boolean;
  timeoutMs: number | null;
}

export interface Target extends Columns {
  lastSuccessAt: Date | null;
  resumedAt: Date | null;
  /** Waits before each attempt, in ms. */
  retrySchedule: readonly number[] | null;
  secret: Sealed<string>;
  previousSecret: Sealed<string> | null;
  previousSecretUntil: Date | null;
  headers: Sealed<Readonly<Record<string, string>>> | null;
  privateKey: Sealed<string> | null;
}

interface Row extends Columns {
  last_success_at: string | null;
  resumed_at: string | null;
  retry_schedule: readonly number[] | null;
  secret: string;
  previous_secret: string | null;
  previous_secret_until: string | null;
  headers: string | null;
  private_key: string | null;
}

const load = systemStatement(
  'load_targets',
  `SELECT id AS "endpointId", account_id AS "accountId", xmin::text AS version, url,
     consecutive_failures AS "consecutiveFailures", unreachable_count AS unreachable, gated, ordered,
     max_concurrency AS "maxConcurrency", breaker = 'open' AS "breakerOpen", timeout_ms AS "timeoutMs",
     breaker = 'open' OR unreachable_count > 0 OR hold_until IS NOT NULL OR paced_to IS NOT NULL AS degraded,
     last_success_at, resumed_at, retry_schedule, secret, previous_secret, previous_secret_until, headers, private_key
   FROM webhook_endpoint
   WHERE id = ANY ($1::text[]) AND account_id = ANY ($2::text[]) AND status = 'active' AND deleted_at IS NULL AND secret IS NOT NULL`,
);

export async function loadTargets(core: Core, endpoints: readonly EndpointRef[]): Promise<Target[]> {
  const rows = await core.database.query<Row>(load, [endpoints.map(({ id }) => id), accountsOf(endpoints)]);
  return rows.map(({ last_success_at, resumed_at, retry_schedule, ...row }) => {
    const { secret, headers, private_key, previous_secret, previous_secret_until, ...columns } = row;
    const id = row.endpointId;
    const until = toDate(previous_secret_until);
    const overlaps = previous_secret !== null && until !== null && until > core.clock.now();
    return {
      ...columns,
      lastSuccessAt: toDate(last_success_at),
      resumedAt: toDate(resumed_at),
      retrySchedule: retry_schedule && [0, ...retry_schedule.map((seconds) => seconds * 1_000)],
      secret: () => core.secrets.decrypt(secret, secretAad(id)),
      previousSecret: overlaps ? () => core.secrets.decrypt(previous_secret, secretAad(id)) : null,
      previousSecretUntil: until,
      headers: headers === null ? null : () => readHeaders(core, { id, headers }),
      privateKey: private_key === null ? null : () => core.secrets.decrypt(private_key, privateKeyAad(id)),
    };
  });
}

function toDate(at: string | null): Date | null {
  return at === null ? null : new Date(at);
}

export interface EventRef {
  eventId: string;
  accountId: string;
}

const loadOne = systemStatement('load_body', 'SELECT body FROM event WHERE id = $1 AND account_id = $2 LIMIT 1');

/** Loads a body that the claim omitted because of its size. Throws if the event does not exist. */
export async function loadBody(core: Core, { eventId, accountId }: EventRef): Promise<Buffer> {
  const [row] = await core.database.query<{ body: string }>(loadOne, [eventId, accountId]);
  if (row === undefined) throw new Error(`The event ${eventId} of a claimed delivery is not stored.`);
  return Buffer.from(row.body);
}
