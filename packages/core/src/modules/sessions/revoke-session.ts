import type { operations } from '@finhook/contracts';
import { audit } from '../../kernel/audit.ts';
import type { Context } from '../../kernel/context.ts';
import { statement } from '../../kernel/queryable.ts';
import { transaction } from '../../kernel/transaction.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { assertMayEnd } from '../accounts/key-authority.ts';
import { findSession } from './read-sessions.ts';
import { toSession } from './session-record.ts';

type Op = typeof operations.sessions.revoke;

const endOne = statement('end_session', 'UPDATE session SET ended_at = $2 WHERE id = $1');

/** Ends a session; one that has ended already is left as it is. Throws 403 where its key may do more than the caller's. */
export async function revokeSession(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  return transaction(context, { lock: input.session_id }, async (tx) => {
    const row = await findSession(tx, context, input.session_id);
    const before = toSession(context, row);
    if (before.status === 'ended') return before;
    assertMayEnd(context.access, { ...row, companyIds: row.company_ids });
    const ended_at = context.clock.now().toISOString();
    await tx.query(endOne, [row.id, ended_at]);
    const after = toSession(context, { ...row, ended_at });
    await audit(tx, context, { action: 'sessions.revoke', resourceId: row.id, before, after });
    return after;
  });
}
