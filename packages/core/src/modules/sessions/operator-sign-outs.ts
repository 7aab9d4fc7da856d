import { statement } from '../../db/queryable.ts';
import type { Core } from '../../kernel/context.ts';

const insertSignOut = statement(
  'insert_operator_sign_out',
  `WITH expired AS (DELETE FROM operator_sign_out WHERE expires_at <= $3)
   INSERT INTO operator_sign_out (session_id, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
);
const findSignOut = statement('find_operator_sign_out', 'SELECT FROM operator_sign_out WHERE session_id = $1');

/** Ends an operator's session in every process, until the cookie expires by itself. */
export async function signOutOperator(core: Core, session: { id: string; expiresAt: Date }): Promise<void> {
  const now = core.clock.now().toISOString();
  await core.database.query(insertSignOut, [session.id, session.expiresAt.toISOString(), now]);
}

export async function isOperatorSignedOut(core: Core, sessionId: string): Promise<boolean> {
  return (await core.database.query(findSignOut, [sessionId])).length > 0;
}
