import { createHash } from 'node:crypto';
import { type Queryable, statement } from '../db/queryable.ts';
import type { Core, Idempotency } from './context.ts';
import { DomainError } from './domain-error.ts';

const LEASE_SECONDS = 60;
const TTL_HOURS = 24;
const VALID_KEY = /^[\x21-\x7e]{1,255}$/;

export type Outcome = { ok: true; output: unknown } | { ok: false; status: number; problem: unknown };

export interface IdempotentRequest {
  accountId: string;
  key: string;
  /** The parts that identify a request: method, path, query, raw body, and the API key where it matters. */
  fingerprint: readonly (string | Uint8Array)[];
  secret: boolean;
}

const claimKey = statement(
  'claim_idempotency_key',
  `INSERT INTO idempotency_key AS k (account_id, key, fingerprint, token, locked_until, created_at)
   VALUES ($1, $2, $3, $4, now() + $5 * interval '1 second', now())
   ON CONFLICT (account_id, key) DO UPDATE
     SET fingerprint = excluded.fingerprint, token = excluded.token, locked_until = excluded.locked_until,
         outcome = NULL, created_at = now()
     WHERE k.created_at < now() - $6 * interval '1 hour'
        OR (k.outcome IS NULL AND k.locked_until < now() AND k.fingerprint = excluded.fingerprint)
   RETURNING token`,
);
const readKey = statement(
  'read_idempotency_key',
  'SELECT fingerprint, outcome FROM idempotency_key WHERE account_id = $1 AND key = $2',
);
const storeOutcome = statement(
  'store_idempotent_outcome',
  'UPDATE idempotency_key SET outcome = $4 WHERE account_id = $1 AND key = $2 AND token = $3 RETURNING key',
);
const releaseKey = statement(
  'release_idempotency_key',
  'DELETE FROM idempotency_key WHERE account_id = $1 AND key = $2 AND token = $3 AND outcome IS NULL',
);

function digest(parts: readonly (string | Uint8Array)[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(String(part.length)).update('\0').update(part);
  return hash.digest();
}

export function isIdempotencyKey(value: unknown): value is string {
  return typeof value === 'string' && VALID_KEY.test(value);
}

/** Throws `invalid_idempotency_key` for a malformed key. */
export function assertIdempotencyKey(key: string): void {
  if (isIdempotencyKey(key)) return;
  throw new DomainError('invalid_idempotency_key', {
    detail: 'The Idempotency-Key must be 1 to 255 visible ASCII characters.',
  });
}

/**
 * Claims the key for this request, or returns the first request's response. Throws `idempotency_in_progress` while that
 * one runs and `idempotency_key_reuse` for a different request (draft-ietf-httpapi-idempotency-key-header).
 */
export async function beginIdempotent(
  core: Core,
  request: IdempotentRequest,
): Promise<{ replay: Outcome } | { run: Idempotency }> {
  assertIdempotencyKey(request.key);
  const aad = `idempotency_key|${request.accountId}|${request.key}`;
  const fingerprint = digest(request.fingerprint);
  const token = core.newId('req');
  const key = [request.accountId, request.key];
  const claimed = await core.database.query(claimKey, [...key, fingerprint, token, LEASE_SECONDS, TTL_HOURS]);
  if (claimed.length > 0) return { run: running(core, key, token, request.secret ? aad : undefined) };

  const [row] = await core.database.query<{ fingerprint: Buffer; outcome: string | null }>(readKey, key);
  if (row && !row.fingerprint.equals(fingerprint)) {
    throw new DomainError('idempotency_key_reuse', {
      detail:
        'This Idempotency-Key was used with another method, path, body or API key. Use a new one for a new request.',
    });
  }
  if (!row || row.outcome === null) {
    throw new DomainError('idempotency_in_progress', {
      detail: 'The first request with this Idempotency-Key is still running. Repeat this one in a second.',
      retryAfter: 1,
    });
  }
  const text = row.outcome.startsWith('{') ? row.outcome : core.secrets.decrypt(row.outcome, aad);
  return { replay: toOutcome(text) };
}

// `store` below serialised an Outcome.
function toOutcome(text: string): Outcome {
  return JSON.parse(text) as Outcome;
}

function running(core: Core, key: string[], token: string, aad: string | undefined): Idempotency {
  let completed = false;
  async function store(db: Queryable, outcome: Outcome): Promise<void> {
    const text = JSON.stringify(outcome);
    const stored = aad === undefined ? text : core.secrets.encrypt(text, aad);
    const rows = await db.query(storeOutcome, [...key, token, stored]);
    // Another request claimed the key after the lease expired: only one of the two may commit.
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
    async release(db) {
      await db.query(releaseKey, [...key, token]);
    },
  };
}

const BATCH = 10_000;

/** Deletes idempotency keys after their 24 hours, in batches; returns their number. */
export async function purgeIdempotencyKeys(core: Core): Promise<number> {
  let total = 0;
  for (;;) {
    const rows = await core.database.query(
      `DELETE FROM idempotency_key WHERE (account_id, key) IN (
         SELECT account_id, key FROM idempotency_key WHERE created_at < now() - interval '${TTL_HOURS} hours' LIMIT ${BATCH}
       ) RETURNING key`,
    );
    total += rows.length;
    if (rows.length < BATCH) return total;
  }
}
