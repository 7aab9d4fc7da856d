import type { operations, SessionState } from '@finhook/contracts';
import { accessibleCompanies } from '../../access/access.ts';
import { type Queryable, statement } from '../../db/queryable.ts';
import { byId } from '../../lists/keyset.ts';
import { toTimestamp } from '../../time/clock.ts';
import type { Context } from '../../verbs/context.ts';
import { notFound } from '../../verbs/domain-error.ts';
import { listVerb } from '../../verbs/verb.ts';
import {
  expiryOf,
  isActiveSql,
  roleOf,
  type SessionRow,
  sessionColumns,
  sessionTables,
  toSession,
} from './session-record.ts';

// A restricted key sees only sessions of keys whose companies it can access.
const isWithinAccess = (companyIds: string): string => `k.company_ids <@ ${companyIds}::text[]`;

const findRow = statement(
  'find_session_by_id',
  `SELECT ${sessionColumns} FROM ${sessionTables}
   WHERE s.id = $1 AND s.account_id = $2 AND ($3::text[] IS NULL OR ${isWithinAccess('$3')})`,
);
const findState = statement(
  'find_session_state',
  `SELECT ${sessionColumns}, a.name AS account_name, a.mode
   FROM ${sessionTables} JOIN account a ON a.id = s.account_id WHERE s.id = $1 AND s.account_id = $2`,
);

export async function findSession(db: Queryable, context: Context, sessionId: string): Promise<SessionRow> {
  const values = [sessionId, context.accountId, accessibleCompanies(context)];
  const [row] = await db.query<SessionRow>(findRow, values);
  if (!row) throw notFound('session');
  return row;
}

export const listSessions = listVerb<typeof operations.sessions.list, SessionRow>({
  table: sessionTables,
  prefix: 'ses',
  select: sessionColumns,
  sort: [byId('ses', 's.id')],
  times: 's.',
  filters(filters, context, input) {
    filters.where(context.accountId, 's.account_id = ?');
    filters.where(context.access.companyIds, isWithinAccess('?'));
    filters.whereEqual(input, ['key_id'], 's.');
    if (input.status === undefined) return;
    const isActive = isActiveSql(filters.bind(context.clock.now().toISOString()));
    filters.add(input.status === 'active' ? isActive : `NOT ${isActive}`);
  },
  map: (row, _, context) => toSession(context, row),
});

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
    created_at: toTimestamp(row.created_at),
    expires_at: expiryOf(row).toISOString(),
  };
}
