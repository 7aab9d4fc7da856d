import type { Scope } from '@finhook/contracts';
import { audit } from '../../kernel/audit.ts';
import type { Context, Core } from '../../kernel/context.ts';
import { DomainError, notFound } from '../../kernel/domain-error.ts';
import { type Queryable, statement } from '../../kernel/queryable.ts';
import { readSessionQuota } from '../../kernel/quota.ts';
import { transaction } from '../../kernel/transaction.ts';
import { callerContext } from '../accounts/known-key.ts';
import type { SessionAuthenticator } from './authenticate-session.ts';
import { findSession } from './read-sessions.ts';
import { isActiveSql, toSession } from './session-record.ts';
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
// Of this many, with the one to come: the ones used last stay.
const endLeastUsed = statement(
  'end_least_used_sessions',
  `UPDATE session SET ended_at = $2 WHERE id IN (
     SELECT s.id FROM session s JOIN api_key k ON k.id = s.key_id
     WHERE s.key_id = $1 AND ${isActiveSql('$2::timestamptz')}
     ORDER BY s.last_seen_at DESC, s.id DESC OFFSET $3
   ) RETURNING id`,
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

/**
 * Opens a session that acts as the caller's key. With as many as the account's quota allows for a key, the one used least
 * recently ends. Throws `insufficient_scope` for the key of an agent.
 */
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
  return transaction(context, { lock: `sessions|${context.keyId}` }, async (tx) => {
    await before(tx);
    await makeRoom(tx, context);
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

async function makeRoom(tx: Queryable, context: Context): Promise<void> {
  const quota = await readSessionQuota(tx, context);
  const now = context.clock.now().toISOString();
  const ended = await tx.query<{ id: string }>(endLeastUsed, [context.keyId, now, Math.max(quota - 1, 0)]);
  for (const { id } of ended) {
    const after = { object: 'session', everywhere: false, ended: [id], reason: 'session_limit' };
    await audit(tx, context, { action: 'sessions.end', resourceId: id, after });
  }
}
