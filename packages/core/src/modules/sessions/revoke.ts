import type { operations } from '@finhook/contracts';
import { statement, systemStatement } from '../../db/queryable.ts';
import { audit } from '../../outbox/audit.ts';
import { recordChange } from '../../outbox/record-change.ts';
import { transaction } from '../../outbox/transaction.ts';
import type { Context, Core } from '../../verbs/context.ts';
import type { Verb } from '../../verbs/verb.ts';
import { assertMayEnd } from '../accounts/api-keys/key-authority.ts';
import { findSession } from './list.ts';
import { toSession } from './session-record.ts';

const DAY_MS = 86_400_000;
/** A session ends a day after its last use, and is kept for ninety more days. */
const KEPT_MS = 91 * DAY_MS;

const endOne = statement('end_session', 'UPDATE session SET ended_at = $2 WHERE id = $1');
const endSessions = statement(
  'end_sessions',
  `UPDATE session SET ended_at = $4
   WHERE account_id = $1 AND key_id = $2 AND ended_at IS NULL AND ($3::text IS NULL OR id = $3) RETURNING id`,
);

export const revokeSession: Verb<typeof operations.sessions.revoke> = (context, input) =>
  transaction(context, { records: 'audit', lock: input.session_id }, async (tx) => {
    const row = await findSession(tx, context, input.session_id);
    const before = toSession(context, row);
    if (before.status === 'ended') return before;
    assertMayEnd(context.access, row);
    const ended_at = context.clock.now().toISOString();
    await tx.query(endOne, [row.id, ended_at]);
    const after = toSession(context, { ...row, ended_at });
    recordChange(tx, context, { action: 'sessions.revoke', before, after });
    return after;
  });

export async function endSession(context: Context, everywhere: boolean): Promise<void> {
  const { sessionId = '', accountId, keyId } = context;
  const now = context.clock.now().toISOString();
  await transaction(context, { records: 'audit' }, async (tx) => {
    const ended = await tx.query<{ id: string }>(endSessions, [accountId, keyId, everywhere ? null : sessionId, now]);
    const after = { object: 'session', everywhere, ended: ended.map(({ id }) => id) };
    audit(tx, context, { action: 'sessions.end', resourceId: sessionId, after });
  });
}

export async function purgeSessions(core: Core): Promise<number> {
  const now = core.clock.now();
  const old = new Date(now.getTime() - KEPT_MS).toISOString();
  const { query } = core.database;
  // SKIP LOCKED, because a move locks rows while it copies.
  const sessions = await query(
    `DELETE FROM session WHERE id = ANY (ARRAY(
       SELECT id FROM session WHERE last_seen_at < $1 FOR UPDATE SKIP LOCKED)) RETURNING id`,
    [old],
  );
  const links = await query(
    `DELETE FROM sign_in_link WHERE hash = ANY (ARRAY(
       SELECT hash FROM sign_in_link WHERE expires_at <= $1 FOR UPDATE SKIP LOCKED)) RETURNING key_id`,
    [now.toISOString()],
  );
  return sessions.length + links.length;
}

const insertSignOut = systemStatement(
  'insert_operator_sign_out',
  `WITH expired AS (DELETE FROM operator_sign_out WHERE expires_at <= $3)
   INSERT INTO operator_sign_out (session_id, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
);
const findSignOut = systemStatement('find_operator_sign_out', 'SELECT FROM operator_sign_out WHERE session_id = $1');

/** Ends an operator's session in every process, until the cookie expires by itself. */
export async function signOutOperator(core: Core, session: { id: string; expiresAt: Date }): Promise<void> {
  const now = core.clock.now().toISOString();
  await core.database.query(insertSignOut, [session.id, session.expiresAt.toISOString(), now]);
}

export async function isOperatorSignedOut(core: Core, sessionId: string): Promise<boolean> {
  return (await core.database.query(findSignOut, [sessionId])).length > 0;
}
