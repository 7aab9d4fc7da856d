import {
  createHashLookup,
  createTtlCache,
  type LookupOptions,
  neverThrottled,
} from '../../access/credential-lookup.ts';
import { systemStatement } from '../../db/queryable.ts';
import { isNotMoving } from '../../outbox/sequence-sql.ts';
import type { Core } from '../../verbs/context.ts';
import { DomainError, notFound } from '../../verbs/domain-error.ts';
import type { Authenticator } from '../accounts/authenticate.ts';
import {
  assertNotEnded,
  isMoving,
  KeyRejected,
  type KeyRow,
  type KnownKey,
  keyColumns,
  type Principal,
  toKnownKey,
} from '../accounts/known-key.ts';
import { endOf, type SessionTimes, tokenHashes } from './session-record.ts';

interface AuthenticatedSession {
  principal: Principal;
  sessionId: string;
}

interface KnownSession {
  id: string;
  times: SessionTimes;
  key: KnownKey;
}

type FoundRow = KeyRow & SessionTimes & { session_id: string; hash: Buffer };

type LinkRow = KeyRow & { hash: Buffer; link_expires_at: string };

const findSession = systemStatement(
  'find_session',
  `SELECT s.hash, s.id AS session_id, s.created_at, s.last_seen_at, s.ended_at, ${keyColumns}
   FROM session s JOIN api_key k ON k.id = s.key_id LEFT JOIN agent a ON a.id = k.agent_id
   WHERE s.hash = ANY ($1::bytea[])`,
);
const findLink = systemStatement(
  'find_sign_in_link',
  `SELECT l.hash, l.expires_at AS link_expires_at, ${keyColumns}
   FROM sign_in_link l JOIN api_key k ON k.id = l.key_id LEFT JOIN agent a ON a.id = k.agent_id
   WHERE l.hash = ANY ($1::bytea[])`,
);
const touchSessions = systemStatement(
  'touch_sessions',
  `UPDATE session s SET last_seen_at = u.at 
   FROM unnest($1::text[], $2::text[], $3::timestamptz[]) AS u (id, account_id, at)
   WHERE s.id = u.id AND s.account_id = u.account_id AND s.ended_at IS NULL AND s.last_seen_at < u.at - interval '1 minute'
     AND ${isNotMoving('u.account_id')}`,
);

/** `cause` is the key's error if the session ended with its key. */
export class SessionEnded extends DomainError {
  readonly isKnown: boolean;
  constructor(why: string, isKnown: boolean, cause?: KeyRejected) {
    super('session_ended', { detail: `The session has ended${why}. Sign in again.`, cause });
    this.isKnown = isKnown;
  }
}

export interface SessionAuthenticator {
  /** Counts as a use of the session and its key. Throws `SessionEnded` (401), also if the key is not accepted from `ip`. */
  authenticate(token: string, ip: string): Promise<AuthenticatedSession>;
  /** Throws `not_found` for an unknown or expired link, and the errors of its API key. */
  admitLink(link: string, ip: string): Promise<Principal>;
  /** Writes the last uses; runs every few seconds and at shutdown. */
  flush(): Promise<void>;
}

export function createSessionAuthenticator(
  core: Core,
  authenticator: Authenticator,
  { isThrottled = neverThrottled, keptMs }: LookupOptions = {},
): SessionAuthenticator {
  const { query } = core.database;
  const sessionOf = createHashLookup<FoundRow>((hashes) => query(findSession, [hashes]), isThrottled);
  const linkOf = createHashLookup<LinkRow>((hashes) => query(findLink, [hashes]), isThrottled);
  const cached = createTtlCache<KnownSession>(core.clock, ({ key }) => !isMoving(key), keptMs);
  const used = new Map<string, { accountId: string; at: Date }>();
  const readSession = async (hashes: readonly Buffer[], ip: string): Promise<KnownSession | undefined> => {
    const row = await sessionOf(hashes, ip);
    return row && { id: row.session_id, times: row, key: toKnownKey(row) };
  };
  return {
    async authenticate(token, ip) {
      const hashes = tokenHashes(core, token);
      const cacheKey = hashes[0]?.toString('base64');
      const known = cacheKey === undefined ? undefined : await cached(cacheKey, () => readSession(hashes, ip));
      if (!known) throw new SessionEnded('', false);
      const now = core.clock.now();
      if (endOf(known.times, now)) {
        withReason(() => assertNotEnded(known.key, now));
        throw new SessionEnded('', true);
      }
      const principal = withReason(() => authenticator.admit(known.key, ip));
      used.set(known.id, { accountId: principal.accountId, at: now });
      return { principal, sessionId: known.id };
    },
    async admitLink(link, ip) {
      const hashes = tokenHashes(core, link);
      const row = hashes.length === 0 ? undefined : await linkOf(hashes, ip);
      if (!row || new Date(row.link_expires_at) <= core.clock.now()) throw notFound('sign-in link');
      return authenticator.admit(toKnownKey(row), ip);
    },
    async flush() {
      if (used.size === 0) return;
      const entries = [...used];
      used.clear();
      await core.database.query(touchSessions, [
        entries.map(([id]) => id),
        entries.map(([, { accountId }]) => accountId),
        entries.map(([, { at }]) => at.toISOString()),
      ]);
    },
  };
}

const reasons: Partial<Record<DomainError['code'], string>> = {
  revoked_api_key: ': its API key was revoked',
  expired_api_key: ': its API key has expired',
  ip_not_allowed: ': its API key may not be used from this address',
};

function withReason<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw error instanceof KeyRejected ? new SessionEnded(reasons[error.code] ?? '', true, error) : error;
  }
}
