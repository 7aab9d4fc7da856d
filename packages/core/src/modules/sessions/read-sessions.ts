import type { operations, SessionState } from '@finhook/contracts';
import { reachOf } from '../../kernel/access.ts';
import { toTimestamp } from '../../kernel/clock.ts';
import type { Context } from '../../kernel/context.ts';
import { notFound } from '../../kernel/domain-error.ts';
import { byId, Filters, readPage } from '../../kernel/keyset.ts';
import { type Queryable, statement } from '../../kernel/queryable.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import {
  expiryOf,
  isActiveSql,
  roleOf,
  type SessionRow,
  sessionColumns,
  sessionTables,
  toSession,
} from './session-record.ts';

type Op = typeof operations.sessions.list;

// A narrowed key sees the sessions of keys that reach no further than itself.
const withinReach = (reach: string): string => `k.company_ids <@ ${reach}::text[]`;

const findRow = statement(
  'find_session_by_id',
  `SELECT ${sessionColumns} FROM ${sessionTables}
   WHERE s.id = $1 AND s.account_id = $2 AND ($3::text[] IS NULL OR ${withinReach('$3')})`,
);
const findState = statement(
  'find_session_state',
  `SELECT ${sessionColumns}, a.name AS account_name, a.mode
   FROM ${sessionTables} JOIN account a ON a.id = s.account_id WHERE s.id = $1 AND s.account_id = $2`,
);

/** The session, if the caller may know of it; throws `not_found`. */
export async function findSession(db: Queryable, context: Context, sessionId: string): Promise<SessionRow> {
  const values = [sessionId, context.accountId, reachOf(context)];
  const [row] = await db.query<SessionRow>(findRow, values);
  if (!row) throw notFound('session');
  return row;
}

/** Lists the account's sessions, newest first. */
export async function listSessions(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  const filters = new Filters();
  filters.where(context.accountId, 's.account_id = ?');
  filters.where(context.access.companyIds, withinReach('?'));
  filters.where(input.key_id, 's.key_id = ?');
  filters.whereInstant(input.created_from, 's.created_at >= ?');
  filters.whereInstant(input.created_to, 's.created_at < ?');
  if (input.status !== undefined) {
    const isActive = isActiveSql(filters.bind(context.clock.now().toISOString()));
    filters.add(input.status === 'active' ? isActive : `NOT ${isActive}`);
  }
  return readPage<SessionRow, OutputOf<Op>['data'][number]>({
    query: context.database.query,
    select: sessionColumns,
    from: sessionTables,
    filters,
    sort: [byId('ses', 's.id')],
    page: input,
    toItem: (row) => toSession(context, row),
  });
}

/** What the dashboard is told of the session by which the request came; its CSRF token is the surface's to add. */
export async function getSessionState(context: Context): Promise<Omit<SessionState, 'csrf_token'>> {
  const [row] = await context.database.query<SessionRow & { account_name: string; mode: 'live' | 'test' }>(findState, [
    context.sessionId,
    context.accountId,
  ]);
  if (!row) throw notFound('session');
  return {
    object: 'session',
    id: row.id,
    role: roleOf(row),
    account: { id: row.account_id, name: row.account_name, mode: row.mode },
    api_key: {
      id: row.key_id,
      name: row.key_name,
      scope: row.scope,
      company_ids: row.company_ids,
      permissions: row.permissions,
    },
    created_at: toTimestamp(row.opened_at),
    expires_at: expiryOf(row).toISOString(),
  };
}
