import { statement, systemStatement } from '../../../db/queryable.ts';
import { isNotMoving } from '../../../outbox/sequence-sql.ts';
import { toTimestamp } from '../../../time/clock.ts';
import type { Core } from '../../../verbs/context.ts';
import type { SyncRow } from './sync-run.ts';

export interface SyncClaim extends SyncRow {
  lease_token: string;
  config_url: string | null;
  currency: string | null;
  connected_at: string;
}

/** Longest wait for one page: a provider may send Retry-After on every request. */
const MAX_WAIT_MS = 60 * 60 * 1000;
const MAX_RUN_MS = 24 * MAX_WAIT_MS;
const MIN_WAIT_MS = 5_000;

// SQL: the lease or the wait for the provider is over. The run of a disconnected connection ends without waiting.
const isOpen = `(r.lease_until IS NULL OR r.lease_until < now()
  OR (r.lease_token IS NULL AND k.status = 'disconnected'))`;

const claim = statement(
  'claim_sync_run',
  `UPDATE sync_run r
   SET lease_token = $2, lease_until = now() + $3::int * interval '1 millisecond', claims = r.claims + 1
   FROM bank_connection k
   WHERE r.id = $1 AND k.id = r.connection_id AND r.status = 'running' AND ${isOpen}
   RETURNING r.*, k.config_url, k.currency, k.connected_at`,
);

const readToken = statement('read_sync_token', 'SELECT secret FROM bank_connection WHERE id = $1');

const release = statement(
  'release_sync_run',
  `UPDATE sync_run SET lease_token = NULL, lease_until = NULL, claims = claims - 1
   WHERE id = $1 AND lease_token = $2 AND status = 'running'`,
);

const postpone = statement(
  'postpone_sync_run',
  `UPDATE sync_run SET lease_token = NULL, lease_until = now() + $3::int * interval '1 millisecond',
     waited_ms = waited_ms + $3::int, claims = claims - 1
   WHERE id = $1 AND lease_token = $2 AND status = 'running' AND waited_ms + $3::int <= ${MAX_WAIT_MS} RETURNING id`,
);

const findOpen = systemStatement(
  'find_open_syncs',
  `SELECT id FROM (
     SELECT r.id, row_number() OVER (PARTITION BY r.account_id ORDER BY r.id) AS turn
     FROM sync_run r JOIN bank_connection k ON k.id = r.connection_id WHERE r.status = 'running' AND ${isOpen}
       AND ${isNotMoving('r.account_id')}
   ) open ORDER BY turn, id LIMIT 100`,
);

const findAccount = systemStatement(
  'find_sync_account',
  `SELECT account_id FROM sync_run WHERE id = $1 AND ${isNotMoving('sync_run.account_id')}`,
);

/** Undefined when the run has ended or another worker has it. */
export async function claimSync(core: Core, runId: string, leaseMs: number): Promise<SyncClaim | undefined> {
  const [row] = await core.database.query<SyncClaim>(claim, [runId, core.newId('req'), leaseMs]);
  return row;
}

/** Encrypted; null after a disconnect. */
export async function readSealedToken(core: Core, { connection_id }: SyncClaim): Promise<string | null> {
  const [row] = await core.database.query<{ secret: string | null }>(readToken, [connection_id]);
  return row?.secret ?? null;
}

export async function releaseSync(core: Core, { id, lease_token }: SyncClaim): Promise<void> {
  await core.database.query(release, [id, lease_token]);
}

/** Releases a run and its worker slot for `waitMs`. Returns false if it may not wait so long, or lost its lease. */
export async function postponeSync(
  core: Core,
  { id, lease_token, started_at }: SyncClaim,
  waitMs: number,
): Promise<boolean> {
  const ms = Math.max(waitMs, MIN_WAIT_MS);
  if (core.clock.now().getTime() + ms > Date.parse(toTimestamp(started_at)) + MAX_RUN_MS) return false;
  const postponed = await core.database.query(postpone, [id, lease_token, ms]);
  return postponed.length > 0;
}

/** Undefined also while the account moves to another cell, which continues the run. */
export async function findSyncAccount(core: Core, runId: string): Promise<string | undefined> {
  const [row] = await core.database.query<{ account_id: string }>(findAccount, [runId]);
  return row?.account_id;
}

/** Runs without a worker, at most a hundred; the first run of each account before the second of any. */
export async function findOpenSyncs(core: Core): Promise<string[]> {
  const rows = await core.database.query<{ id: string }>(findOpen);
  return rows.map(({ id }) => id);
}
