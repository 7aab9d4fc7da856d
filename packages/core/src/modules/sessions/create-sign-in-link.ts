import { statement } from '../../db/queryable.ts';
import { audit } from '../../kernel/audit.ts';
import { type Core, systemContext } from '../../kernel/context.ts';
import { transaction } from '../../kernel/transaction.ts';
import { findKnownKey } from '../accounts/authenticate.ts';
import { assertNotEnded } from '../accounts/known-key.ts';
import { rejectAgents } from './open-session.ts';
import { generateToken, storedHash } from './session-token.ts';

const LIFE_MS = 24 * 3_600_000;

const insertLink = statement(
  'insert_sign_in_link',
  'INSERT INTO sign_in_link (hash, account_id, key_id, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)',
);

/**
 * Creates a link that opens one session of this key within 24 hours, and returns its secret. For operators only. Throws
 * 401 for an unknown or ended key, `insufficient_scope` for an agent's key.
 */
export async function createSignInLink(core: Core, key: string): Promise<string> {
  const known = await findKnownKey(core, key);
  const now = core.clock.now();
  assertNotEnded(known, now);
  const { accountId, keyId, scope } = known.principal;
  rejectAgents(scope);
  const token = generateToken();
  const expires = new Date(now.getTime() + LIFE_MS).toISOString();
  const context = systemContext(core, accountId, 'sign_in_link');
  // no event here: a link that nobody has used changes no record of the account
  await transaction(context, async (tx) => {
    await tx.query(insertLink, [storedHash(core, token), accountId, keyId, now.toISOString(), expires]);
    await audit(tx, context, { action: 'sessions.createLink', resourceId: keyId, after: { expires_at: expires } });
  });
  return token;
}
