import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Queryable, statement } from '../db/queryable.ts';
import type { Context, Core, Idempotency } from './context.ts';
import { DomainError } from './domain-error.ts';

const LEASE_SECONDS = 60;
const TTL_HOURS = 24;
const VALID_KEY = /^[\x21-\x7e]{1,255}$/;

export type Outcome = { ok: true; output: unknown } | { ok: false; status: number; problem: unknown };

export interface IdempotentRequest {
  key: string;
  /** Identifies the request: method, path, query, raw body. */
  fingerprint: readonly (string | Uint8Array)[];
  /** True if no other API key may get the response. Version 0.2.0 hashed the API key into the fingerprint instead. */
  isForKeyOnly?: boolean;
  secret: boolean;
}

/** Also works beside processes of 0.2.0: see the migration. */
const claimKey = statement(
  'claim_idempotency_key',
  `SELECT row_key, is_claimed, is_same, stored_outcome
   FROM claim_idempotency_key($1, $2, $3, $4::bytea[], $5, $6 * interval '1 second', $7 * interval '1 hour')`,
);
/** 1 while the session that claimed the key lives, because it may end at any time. Otherwise the rest of the lease. */
const readTimeLeft = statement(
  'read_idempotency_time_left',
  `SELECT CASE WHEN starts_with(holder, token || ' ') THEN 1
     ELSE greatest(1, ceil(extract(epoch FROM locked_until - now())))::int END AS seconds
   FROM idempotency_key WHERE account_id = $1 AND key = $2 AND outcome IS NULL`,
);
const storeOutcome = statement(
  'store_idempotent_outcome',
  'UPDATE idempotency_key SET outcome = $4 WHERE account_id = $1 AND key = $2 AND token = $3 RETURNING key',
);
const releaseKey = statement(
  'release_idempotency_key',
  'DELETE FROM idempotency_key WHERE account_id = $1 AND key = $2 AND token = $3 AND outcome IS NULL',
);

interface ClaimRow {
  row_key: string;
  is_claimed: boolean;
  is_same: boolean | null;
  stored_outcome: string | null;
}

function digest(parts: readonly (string | Uint8Array)[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(String(part.length)).update('\0').update(part);
  return hash.digest();
}

export function isIdempotencyKey(value: unknown): value is string {
  return typeof value === 'string' && VALID_KEY.test(value);
}

export function assertIdempotencyKey(key: string): void {
  if (isIdempotencyKey(key)) return;
  throw new DomainError('invalid_idempotency_key', {
    detail: 'The Idempotency-Key must be 1 to 255 visible ASCII characters.',
  });
}

/**
 * Claims the key, or returns the first request's response. Keys belong to an API key and its rotations
 * (draft-ietf-httpapi-idempotency-key-header). @throws `idempotency_in_progress` while the first request runs,
 * `idempotency_key_reuse` for a different request
 */
export async function beginIdempotent(
  context: Context,
  request: IdempotentRequest,
): Promise<{ replay: Outcome } | { run: Idempotency }> {
  const { accountId, keyId, originId, secrets } = context;
  const { key, fingerprint, isForKeyOnly = false } = request;
  assertIdempotencyKey(key);
  const aad = `idempotency_key|${accountId}|${key}`;
  const keys = isForKeyOnly ? [...new Set([originId, keyId])].map((id) => [id]) : [[]];
  const fingerprints = keys.map((id) => digest([...fingerprint, ...id]));
  const id = context.newId('req');
  const values = [accountId, key, originId, fingerprints, id, LEASE_SECONDS, TTL_HOURS];
  const [row] = await context.database.query<ClaimRow>(claimKey, values);
  if (!row) throw new Error('The claim of an Idempotency-Key returned no row.');
  if (row.is_claimed) {
    const claimed = [accountId, row.row_key, `${originId} ${id}`];
    return { run: running(context, claimed, request.secret ? aad : undefined) };
  }
  if (!row.is_same) {
    throw new DomainError('idempotency_key_reuse', {
      detail:
        'This Idempotency-Key was used with another method, path, query or body. Use a new one for a new request.',
    });
  }
  if (row.stored_outcome === null) {
    const left = [accountId, row.row_key];
    const [{ seconds } = { seconds: 1 }] = await context.database.query<{ seconds: number }>(readTimeLeft, left);
    throw new DomainError('idempotency_in_progress', {
      detail: `The first request with this Idempotency-Key is still running. Repeat this one in ${seconds} s.`,
      retryAfter: seconds,
    });
  }
  const text = row.stored_outcome.startsWith('{') ? row.stored_outcome : secrets.decrypt(row.stored_outcome, aad);
  return { replay: toOutcome(text) };
}

// Written by `store` below.
function toOutcome(text: string): Outcome {
  return JSON.parse(text) as Outcome;
}

/** `claimed` is account, key and token. */
function running(core: Core, claimed: readonly string[], aad: string | undefined): Idempotency {
  let completed = false;
  async function store(db: Queryable, outcome: Outcome): Promise<void> {
    const text = JSON.stringify(outcome);
    const stored = aad === undefined ? text : core.secrets.encrypt(text, aad);
    const rows = await db.query(storeOutcome, [...claimed, stored]);
    // The lease expired and another request claimed the key: only one may commit.
    if (rows.length === 0) {
      throw new DomainError('idempotency_in_progress', {
        detail: 'Another request with this Idempotency-Key took over. Repeat this one in a second.',
        retryAfter: 1,
      });
    }
    completed = true;
  }
  return {
    get completed() {
      return completed;
    },
    complete: (db, output) => store(db, { ok: true, output }),
    reject: (db, status, problem) => store(db, { ok: false, status, problem }),
    release: async (db) => void (await db.query(releaseKey, claimed).catch(() => void releaseLater(db, claimed))),
  };
}

const [FIRST_RETRY_MS, MAX_RETRY_MS] = [250, 4_000];

/** After an outage of connections the release fails too. Nothing else releases the key before the lease ends. */
async function releaseLater(db: Queryable, claimed: readonly string[]): Promise<void> {
  const endsAt = performance.now() + LEASE_SECONDS * 1000;
  for (let waitMs = FIRST_RETRY_MS; performance.now() < endsAt; waitMs = Math.min(2 * waitMs, MAX_RETRY_MS)) {
    await delay(waitMs, undefined, { ref: false });
    const isReleased = await db.query(releaseKey, claimed).then(
      () => true,
      () => false,
    );
    if (isReleased) return;
  }
}

const BATCH = 10_000;

/** Deletes expired keys in batches and returns their number. Skips rows locked by an account move. */
export async function purgeIdempotencyKeys(core: Core): Promise<number> {
  let total = 0;
  for (;;) {
    const rows = await core.database.query(
      `DELETE FROM idempotency_key WHERE (account_id, key) IN (
         SELECT account_id, key FROM idempotency_key WHERE created_at < now() - interval '${TTL_HOURS} hours' LIMIT ${BATCH}
         FOR UPDATE SKIP LOCKED
       ) RETURNING key`,
    );
    total += rows.length;
    if (rows.length < BATCH) return total;
  }
}
