import { audit } from '../../kernel/audit.ts';
import type { Context } from '../../kernel/context.ts';
import { statement } from '../../kernel/queryable.ts';
import { transaction } from '../../kernel/transaction.ts';

const endSessions = statement(
  'end_sessions',
  `UPDATE session SET ended_at = $4
   WHERE account_id = $1 AND key_id = $2 AND ended_at IS NULL AND ($3::text IS NULL OR id = $3) RETURNING id`,
);

/** Signs out: ends the session by which the request came, or with `everywhere` every session of its key. */
export async function endSession(context: Context, everywhere: boolean): Promise<void> {
  const { sessionId = '', accountId, keyId } = context;
  const now = context.clock.now().toISOString();
  // no event here: who signs out is told by the audit log; webhooks tell of the account's records
  await transaction(context, async (tx) => {
    const ended = await tx.query<{ id: string }>(endSessions, [accountId, keyId, everywhere ? null : sessionId, now]);
    const after = { object: 'session', everywhere, ended: ended.map(({ id }) => id) };
    await audit(tx, context, { action: 'sessions.end', resourceId: sessionId, after });
  });
}
