import type { Scope } from '@finhook/contracts';
import { audit } from '../../kernel/audit.ts';
import type { Context, Core } from '../../kernel/context.ts';
import { DomainError, notFound } from '../../kernel/domain-error.ts';
import { type Queryable, statement } from '../../kernel/queryable.ts';
import { transaction } from '../../kernel/transaction.ts';
import { callerContext } from '../accounts/index.ts';
import type { SessionAuthenticator } from './authenticate-session.ts';
import { findSession } from './read-sessions.ts';
import { toSession } from './session-record.ts';
import { generateToken, storedHash, tokenHashes } from './session-token.ts';

/** A session that was just opened. */
export interface OpenedSession {
  /** Its secret, which exists nowhere else. */
  token: string;
  /** The caller's, as its later requests will have it. */
  context: Context;
}

/** Who opens the link, and from where. */
export interface LinkVisit {
  link: string;
  userAgent: string | undefined;
  request: { id: string; ip: string };
}

const MAX_USER_AGENT = 512;

const insertSession = statement(
  'insert_session',
  `INSERT INTO session (id, account_id, key_id, hash, ip, user_agent, created_at, last_seen_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $7)`,
);
const useLink = statement(
  'use_sign_in_link',
  'DELETE FROM sign_in_link WHERE hash = ANY ($1::bytea[]) RETURNING key_id',
);

/** Throws `insufficient_scope` for the key of an agent: the dashboard is for people. */
export function refuseAgents(scope: Scope): void {
  if (scope !== 'agent') return;
  throw new DomainError('insufficient_scope', {
    detail: 'The key of an agent cannot sign in to the dashboard. Use a key with scope human or read.',
    extra: { scope, required: ['human', 'read'] },
  });
}

/** Opens a session that acts as the caller's key. Throws `insufficient_scope` for the key of an agent. */
export async function openSession(context: Context, userAgent: string | undefined): Promise<OpenedSession> {
  return open(context, userAgent, async () => undefined);
}

/**
 * Opens a session by a one-time link. Throws `not_found` when there is no such link, or no more, and the refusal of its
 * key when that may not be used.
 */
export async function openSessionByLink(
  core: Core,
  sessions: Pick<SessionAuthenticator, 'admitLink'>,
  { link, userAgent, request }: LinkVisit,
): Promise<OpenedSession> {
  const principal = await sessions.admitLink(link, request.ip);
  return open(callerContext(core, principal, { request }), userAgent, async (tx) => {
    // Of two that come at once, one deletes it.
    if ((await tx.query(useLink, [tokenHashes(core, link)])).length === 0) throw notFound('sign-in link');
  });
}

async function open(
  caller: Context,
  userAgent: string | undefined,
  before: (tx: Queryable) => Promise<void>,
): Promise<OpenedSession> {
  refuseAgents(caller.scope);
  const token = generateToken();
  const context: Context = { ...caller, sessionId: caller.newId('ses') };
  // no event here: who signs in is told by the audit log; webhooks tell of the account's records
  return transaction(context, async (tx) => {
    await before(tx);
    await tx.query(insertSession, [
      context.sessionId,
      context.accountId,
      context.keyId,
      storedHash(context, token),
      context.request.ip,
      userAgent?.slice(0, MAX_USER_AGENT) ?? null,
      context.clock.now().toISOString(),
    ]);
    const after = toSession(context, await findSession(tx, context, context.sessionId ?? ''));
    await audit(tx, context, { action: 'sessions.open', resourceId: after.id, after });
    return { token, context };
  });
}
