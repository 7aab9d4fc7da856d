import type { Scope } from '@finhook/contracts';
import { readSessionQuota } from '../../access/quota.ts';
import { statement } from '../../db/queryable.ts';
import { audit } from '../../outbox/audit.ts';
import { recordChange } from '../../outbox/record-change.ts';
import { transaction, type UnitOfWork } from '../../outbox/transaction.ts';
import { type Context, type Core, systemContext } from '../../verbs/context.ts';
import { DomainError, notFound } from '../../verbs/domain-error.ts';
import { findKnownKey } from '../accounts/authenticate.ts';
import { assertNotEnded, callerContext } from '../accounts/known-key.ts';
import type { SessionAuthenticator } from './authenticate-session.ts';
import { findSession } from './list.ts';
import { generateToken, isActiveSql, storedHash, tokenHashes, toSession } from './session-record.ts';

export interface OpenedSession {
  token: string;
  context: Context;
}

export interface LinkSignIn {
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

/** Throws `insufficient_scope` for keys of agents and providers. */
function assertMaySignIn(scope: Scope): void {
  if (scope === 'human' || scope === 'read') return;
  throw new DomainError('insufficient_scope', {
    detail: `A key with scope ${scope} cannot sign in to the dashboard. Use a key with scope human or read.`,
    extra: { scope, required: ['human', 'read'] },
  });
}

/** Ends the key's least recently used session if the key has as many as the account's quota allows for each key. */
export async function openSession(context: Context, userAgent: string | undefined): Promise<OpenedSession> {
  return open(context, userAgent, async () => undefined);
}

/** Throws `not_found` for an unknown, used or expired link, and the errors of its API key. */
export async function openSessionByLink(
  core: Core,
  sessions: Pick<SessionAuthenticator, 'admitLink'>,
  { link, userAgent, request }: LinkSignIn,
): Promise<OpenedSession> {
  const principal = await sessions.admitLink(link, request.ip);
  return open(callerContext(core, principal, { request }), userAgent, async (tx) => {
    // One of two concurrent requests deletes it.
    if ((await tx.query(useLink, [tokenHashes(core, link)])).length === 0) throw notFound('sign-in link');
  });
}

async function open(
  caller: Context,
  userAgent: string | undefined,
  before: (tx: UnitOfWork<'audit'>) => Promise<void>,
): Promise<OpenedSession> {
  assertMaySignIn(caller.scope);
  const token = generateToken(caller);
  const context: Context = { ...caller, sessionId: caller.newId('ses') };
  return transaction(context, { records: 'audit', lock: `sessions|${context.keyId}` }, async (tx) => {
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
    recordChange(tx, context, { action: 'sessions.open', after });
    return { token, context };
  });
}

async function makeRoom(tx: UnitOfWork<'audit'>, context: Context): Promise<void> {
  const quota = await readSessionQuota(tx, context);
  const now = context.clock.now().toISOString();
  const ended = await tx.query<{ id: string }>(endLeastUsed, [context.keyId, now, Math.max(quota - 1, 0)]);
  for (const { id } of ended) {
    const after = { object: 'session', everywhere: false, ended: [id], reason: 'session_limit' };
    audit(tx, context, { action: 'sessions.end', resourceId: id, after });
  }
}

const LIFE_MS = 24 * 3_600_000;

const insertLink = statement(
  'insert_sign_in_link',
  'INSERT INTO sign_in_link (hash, account_id, key_id, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)',
);

/** Returns the secret of a link that opens one session of this key within 24 hours. Throws 401 for an unknown or ended key. */
export async function createSignInLink(core: Core, key: string): Promise<string> {
  const known = await findKnownKey(core, key);
  const now = core.clock.now();
  assertNotEnded(known, now);
  const { accountId, keyId, scope } = known.principal;
  assertMaySignIn(scope);
  const token = generateToken(core);
  const expires = new Date(now.getTime() + LIFE_MS).toISOString();
  const context = systemContext(core, accountId, 'sign_in_link');
  await transaction(context, { records: 'audit' }, async (tx) => {
    await tx.query(insertLink, [storedHash(core, token), accountId, keyId, now.toISOString(), expires]);
    audit(tx, context, { action: 'sessions.createLink', resourceId: keyId, after: { expires_at: expires } });
  });
  return token;
}
