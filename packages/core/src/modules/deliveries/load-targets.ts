import { accountsOf, systemStatement } from '../../db/queryable.ts';
import type { EndpointRef } from '../../outbox/delivery-queue.ts';
import type { Core } from '../../verbs/context.ts';
import { readHeaders } from '../webhooks/endpoint-headers.ts';
import { privateKeyAad, secretAad } from '../webhooks/webhook-endpoint.entity.ts';

interface TargetFlow {
  gated: boolean;
  ordered: boolean;
  maxConcurrency?: number;
  /** True if a success must be recorded, because it ends a limit, pause or breaker. */
  degraded: boolean;
  open: boolean;
  unreachable: number;
}

/** Decrypts lazily, so that a damaged row fails one endpoint and not its batch. */
type Sealed<T> = () => T;

export interface Target {
  endpointId: string;
  accountId: string;
  url: string;
  secret: Sealed<string>;
  /** The row's version (xmin). */
  version: string;
  consecutiveFailures: number;
  lastSuccessAt: Date | null;
  resumedAt: Date | null;
  flow?: TargetFlow;
  timeoutMs?: number;
  retrySchedule?: readonly number[];
  headers?: Sealed<Readonly<Record<string, string>>>;
  previousSecret?: Sealed<string>;
  previousSecretUntil?: Date;
  privateKey?: Sealed<string>;
}

interface TargetRow {
  id: string;
  account_id: string;
  version: string;
  url: string;
  secret: string;
  consecutive_failures: number;
  last_success_at: string | null;
  resumed_at: string | null;
  gated: boolean;
  ordered: boolean;
  max_concurrency: number | null;
  degraded: boolean;
  open: boolean;
  unreachable_count: number;
  headers: string | null;
  timeout_ms: number | null;
  retry_schedule: readonly number[] | null;
  private_key: string | null;
  previous_secret: string | null;
  previous_secret_until: string | null;
}

const load = systemStatement(
  'load_targets',
  `SELECT id, account_id, xmin::text AS version, url, secret, consecutive_failures, last_success_at, resumed_at, headers, timeout_ms,
     retry_schedule, private_key, previous_secret, previous_secret_until, gated, ordered, max_concurrency,
     breaker = 'open' AS open, unreachable_count,
     breaker = 'open' OR unreachable_count > 0 OR hold_until IS NOT NULL OR paced_to IS NOT NULL AS degraded
   FROM webhook_endpoint
   WHERE id = ANY ($1::text[]) AND account_id = ANY ($2::text[]) AND status = 'active' AND deleted_at IS NULL AND secret IS NOT NULL`,
);

export async function loadTargets(core: Core, endpoints: readonly EndpointRef[]): Promise<Target[]> {
  const rows = await core.database.query<TargetRow>(load, [endpoints.map(({ id }) => id), accountsOf(endpoints)]);
  return rows.map((row) => ({
    endpointId: row.id,
    accountId: row.account_id,
    version: row.version,
    url: row.url,
    secret: sealedKey(core, row.secret, secretAad(row.id)),
    consecutiveFailures: row.consecutive_failures,
    lastSuccessAt: row.last_success_at === null ? null : new Date(row.last_success_at),
    resumedAt: row.resumed_at === null ? null : new Date(row.resumed_at),
    ...(row.gated || row.degraded ? { flow: readFlow(row) } : {}),
    ...readOptions(core, row),
  }));
}

function sealedKey(core: Core, sealed: string, aad: string): Sealed<string> {
  return () => core.secrets.decrypt(sealed, aad);
}

function readFlow(row: TargetRow): TargetFlow {
  const { gated, ordered, degraded, open, unreachable_count: unreachable, max_concurrency: most } = row;
  return { gated, ordered, degraded, open, unreachable, ...(most === null ? {} : { maxConcurrency: most }) };
}

function readOptions(core: Core, row: TargetRow): Partial<Target> {
  const { id, headers, timeout_ms, retry_schedule, private_key, previous_secret, previous_secret_until } = row;
  const until = previous_secret_until === null ? null : new Date(previous_secret_until);
  return {
    ...(timeout_ms === null ? {} : { timeoutMs: timeout_ms }),
    ...(retry_schedule === null ? {} : { retrySchedule: [0, ...retry_schedule.map((seconds) => seconds * 1_000)] }),
    ...(headers === null ? {} : { headers: () => readHeaders(core, { id, headers }) }),
    ...(private_key === null ? {} : { privateKey: sealedKey(core, private_key, privateKeyAad(id)) }),
    ...(previous_secret !== null && until !== null && until > core.clock.now()
      ? { previousSecret: sealedKey(core, previous_secret, secretAad(id)), previousSecretUntil: until }
      : {}),
  };
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
