import type { Permission, Scope, Session, SessionRole } from '@finhook/contracts';
import { toTimestamp } from '../../kernel/clock.ts';
import type { Context } from '../../kernel/context.ts';

const HOUR_MS = 3_600_000;
const IDLE_MS = 24 * HOUR_MS;
const LIFE_MS = 30 * 24 * HOUR_MS;

/** What ends a session: its own times and those of its key, as PostgreSQL returns them. */
export interface SessionTimes {
  opened_at: string;
  last_seen_at: string;
  ended_at: string | null;
  expires_at: string | null;
  revoked_at: string | null;
  overlap_until: string | null;
}

/** A session with its key. */
export interface SessionRow extends SessionTimes {
  id: string;
  account_id: string;
  key_id: string;
  key_name: string;
  scope: Scope;
  company_ids: string[] | null;
  permissions: Permission[] | null;
  ip: string | null;
  user_agent: string | null;
}

export const sessionColumns = `s.id, s.account_id, s.key_id, s.ip, s.user_agent, s.created_at AS opened_at, s.last_seen_at,
  s.ended_at, k.name AS key_name, k.scope, k.company_ids, k.permissions, k.expires_at, k.revoked_at, k.overlap_until`;

export const sessionTables = 'session s JOIN api_key k ON k.id = s.key_id';

/** SQL that holds for a session that has not ended at the moment which `now` stands for. */
export const isActiveSql = (now: string): string => `(s.ended_at IS NULL AND k.revoked_at IS NULL
  AND (k.overlap_until IS NULL OR k.overlap_until > ${now}) AND (k.expires_at IS NULL OR k.expires_at > ${now})
  AND s.last_seen_at > ${now}::timestamptz - interval '${IDLE_MS / HOUR_MS} hours'
  AND s.created_at > ${now}::timestamptz - interval '${LIFE_MS / HOUR_MS} hours')`;

function earliest(moments: readonly (string | number | null)[]): Date {
  return new Date(Math.min(...moments.filter((moment) => moment !== null).map((moment) => new Date(moment).getTime())));
}

/** When it ends if it is not used again: a day after its last use, thirty after it was opened, or with its key. */
export function expiryOf(times: SessionTimes): Date {
  const idle = new Date(times.last_seen_at).getTime() + IDLE_MS;
  return earliest([idle, new Date(times.opened_at).getTime() + LIFE_MS, times.expires_at, times.overlap_until]);
}

/** When it has ended by `now`, or undefined. */
export function endOf(times: SessionTimes, now: Date): Date | undefined {
  const end = earliest([expiryOf(times).getTime(), times.ended_at, times.revoked_at]);
  return end <= now ? end : undefined;
}

/** What the holder of a key may do in the dashboard. */
export function roleOf(key: Pick<SessionRow, 'scope' | 'company_ids' | 'permissions'>): SessionRole {
  if (key.scope !== 'human') return 'viewer';
  return key.company_ids === null && key.permissions === null ? 'owner' : 'member';
}

/** The session as everyone of its account may see it. */
export function toSession({ clock, sessionId }: Pick<Context, 'clock' | 'sessionId'>, row: SessionRow): Session {
  const end = endOf(row, clock.now());
  return {
    id: row.id,
    object: 'session',
    account_id: row.account_id,
    key_id: row.key_id,
    key_name: row.key_name,
    role: roleOf(row),
    ip: row.ip,
    user_agent: row.user_agent,
    current: row.id === sessionId,
    status: end ? 'ended' : 'active',
    created_at: toTimestamp(row.opened_at),
    last_seen_at: toTimestamp(row.last_seen_at),
    expires_at: expiryOf(row).toISOString(),
    ended_at: end?.toISOString() ?? null,
  };
}
