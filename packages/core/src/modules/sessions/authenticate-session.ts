import { createBriefMemory } from '../../kernel/brief-memory.ts';
import type { Core } from '../../kernel/context.ts';
import { DomainError } from '../../kernel/domain-error.ts';
import { statement } from '../../kernel/queryable.ts';
import {
  type Authenticator,
  KeyRefused,
  type KeyRow,
  type KnownKey,
  keyColumns,
  type Principal,
  refuseEnded,
  toKnownKey,
} from '../accounts/index.ts';
import { endOf, type SessionTimes } from './session-record.ts';
import { tokenHashes } from './session-token.ts';

/** The holder of a session: its key, and which session it is. */
export interface SessionHolder {
  principal: Principal;
  sessionId: string;
}

interface KnownSession {
  id: string;
  times: SessionTimes;
  key: KnownKey;
}

type FoundRow = KeyRow & SessionTimes & { session_id: string };

const findSession = statement(
  'find_session',
  `SELECT s.id AS session_id, s.created_at AS opened_at, s.last_seen_at, s.ended_at, ${keyColumns}
   FROM session s JOIN api_key k ON k.id = s.key_id LEFT JOIN agent a ON a.id = k.agent_id
   WHERE s.hash = ANY ($1::bytea[])`,
);
const touchSessions = statement(
  'touch_sessions',
  `UPDATE session s SET last_seen_at = u.at FROM unnest($1::text[], $2::timestamptz[]) AS u (id, at)
   WHERE s.id = u.id AND s.ended_at IS NULL AND s.last_seen_at < u.at - interval '1 minute'`,
);

/** The refusal of a session that is over; its cause is that of its key, if it ended with it. */
export class SessionEnded extends DomainError {
  /** Whether there was such a session: who comes with another token guesses. */
  readonly isKnown: boolean;
  constructor(why: string, isKnown: boolean, cause?: KeyRefused) {
    super('session_ended', { detail: `The session has ended${why}. Sign in again.`, cause });
    this.isKnown = isKnown;
  }
}

export interface SessionAuthenticator {
  /**
   * Whose session the token opens; counts as a use of the session and its key. Throws `SessionEnded` (401) when it is
   * unknown or over: ended, not used for a day, thirty days old, or its key may not be used any more or from `ip`.
   */
  authenticate(token: string, ip: string): Promise<SessionHolder>;
  /** Writes the last uses that were remembered; called every few seconds and at shutdown. */
  flush(): Promise<void>;
}

/** Looks sessions up by the hash of their token, as keys are: remembered briefly, last uses noted in the background. */
export function createSessionAuthenticator(core: Core, authenticator: Authenticator): SessionAuthenticator {
  const remembered = createBriefMemory<KnownSession>(core.clock);
  const used = new Map<string, Date>();
  return {
    async authenticate(token, ip) {
      const hashes = tokenHashes(core, token);
      const place = hashes[0]?.toString('base64');
      const known = place === undefined ? undefined : await remembered(place, () => readSession(core, hashes));
      if (!known) throw new SessionEnded('', false);
      const now = core.clock.now();
      if (endOf(known.times, now)) {
        withReason(() => refuseEnded(known.key, now));
        throw new SessionEnded('', true);
      }
      const principal = withReason(() => authenticator.admit(known.key, ip));
      used.set(known.id, now);
      return { principal, sessionId: known.id };
    },
    async flush() {
      if (used.size === 0) return;
      const entries = [...used];
      used.clear();
      await core.database.query(touchSessions, [entries.map(([id]) => id), entries.map(([, at]) => at.toISOString())]);
    },
  };
}

async function readSession(core: Core, hashes: readonly Buffer[]): Promise<KnownSession | undefined> {
  const [row] = await core.database.query<FoundRow>(findSession, [hashes]);
  return row && { id: row.session_id, times: row, key: toKnownKey(row) };
}

const reasons: Partial<Record<DomainError['code'], string>> = {
  revoked_api_key: ': its API key was revoked',
  expired_api_key: ': its API key has expired',
  ip_not_allowed: ': its API key may not be used from this address',
};

/** What refuses the key ends the session, and says why. */
function withReason<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw error instanceof KeyRefused ? new SessionEnded(reasons[error.code] ?? '', true, error) : error;
  }
}
