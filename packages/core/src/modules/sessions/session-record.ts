import { randomBytes } from 'node:crypto';
import { type Session, type SessionRole, session } from '@finhook/contracts';
import type { Context, Core } from '../../verbs/context.ts';
import { type RowOf, record } from '../../verbs/record.ts';
import type { ApiKeyRow } from '../accounts/api-keys/api-key.entity.ts';
import { CELL_NAME, hashKey } from '../accounts/api-keys/key-format.ts';

const HOUR_MS = 3_600_000;
const IDLE_MS = 24 * HOUR_MS;
const LIFE_MS = 30 * 24 * HOUR_MS;

export interface SessionTimes {
  created_at: string;
  last_seen_at: string;
  ended_at: string | null;
  expires_at: string | null;
  revoked_at: string | null;
  overlap_until: string | null;
}

type KeyColumns = Pick<ApiKeyRow, 'scope' | 'company_ids' | 'permissions'>;

export interface SessionRow
  extends Omit<RowOf<typeof session, never, 'role' | 'current' | 'status'>, keyof SessionTimes>,
    SessionTimes,
    KeyColumns {}

export const sessionColumns = `s.id, s.account_id, s.key_id, s.ip, s.user_agent, s.created_at, s.last_seen_at,
  s.ended_at, k.name AS key_name, k.scope, k.company_ids, k.permissions, k.expires_at, k.revoked_at, k.overlap_until`;

export const sessionTables = 'session s JOIN api_key k ON k.id = s.key_id';

/** SQL: true for a session that has not ended at `now` (SQL). */
export const isActiveSql = (now: string): string => `(s.ended_at IS NULL AND k.revoked_at IS NULL
  AND (k.overlap_until IS NULL OR k.overlap_until > ${now}) AND (k.expires_at IS NULL OR k.expires_at > ${now})
  AND s.last_seen_at > ${now}::timestamptz - interval '${IDLE_MS / HOUR_MS} hours'
  AND s.created_at > ${now}::timestamptz - interval '${LIFE_MS / HOUR_MS} hours')`;

function earliest(moments: readonly (string | number | null)[]): Date {
  return new Date(Math.min(...moments.filter((moment) => moment !== null).map((moment) => new Date(moment).getTime())));
}

/** The end without further use: a day after its last use, thirty after its start, or with its key. */
export function expiryOf(times: SessionTimes): Date {
  const idle = new Date(times.last_seen_at).getTime() + IDLE_MS;
  return earliest([idle, new Date(times.created_at).getTime() + LIFE_MS, times.expires_at, times.overlap_until]);
}

export function endOf(times: SessionTimes, now: Date): Date | undefined {
  const end = earliest([expiryOf(times).getTime(), times.ended_at, times.revoked_at]);
  return end <= now ? end : undefined;
}

export function roleOf(key: KeyColumns): SessionRole {
  if (key.scope !== 'human') return 'viewer';
  return key.company_ids === null && key.permissions === null ? 'owner' : 'member';
}

export function toSession({ clock, sessionId }: Pick<Context, 'clock' | 'sessionId'>, row: SessionRow): Session {
  const end = endOf(row, clock.now());
  return record(session, row, {
    role: roleOf(row),
    current: row.id === sessionId,
    status: end ? 'ended' : 'active',
    expires_at: expiryOf(row).toISOString(),
    ended_at: end?.toISOString() ?? null,
  });
}

const BYTES = 32;
const FORM = new RegExp(`^(?:${CELL_NAME}\\.)?[A-Za-z0-9_-]{43}$`);

/** 256 random bits in base64url, after the cell's name if it has one: `eu.…`. */
export function generateToken({ cell }: Pick<Core, 'cell'>): string {
  const secret = randomBytes(BYTES).toString('base64url');
  return cell === '' ? secret : `${cell}.${secret}`;
}

/** One hash per pepper, the current one first; empty for a malformed token. */
export function tokenHashes(core: Pick<Core, 'secrets'>, token: string): Buffer[] {
  return FORM.test(token) ? core.secrets.peppers.map((pepper) => hashKey(token, pepper)) : [];
}

export function storedHash(core: Pick<Core, 'secrets'>, token: string): Buffer {
  const [hash] = tokenHashes(core, token);
  if (!hash) throw new Error('No pepper is configured.');
  return hash;
}
