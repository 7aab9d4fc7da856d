import type { Actor } from '@finhook/contracts';
import { audit } from '../../kernel/audit.ts';
import type { Context, Core } from '../../kernel/context.ts';
import { notFound } from '../../kernel/domain-error.ts';
import { emit } from '../../kernel/emit.ts';
import { statement } from '../../kernel/queryable.ts';
import { systemContext } from '../../kernel/system-context.ts';
import { transaction } from '../../kernel/transaction.ts';
import { fullAuthority, mintKey } from './mint-key.ts';

export interface NewAccountKey {
  /** The oldest account when absent. */
  accountId?: string | undefined;
  name: string;
  scope: 'human' | 'read';
}

const operator: Actor = { type: 'staff', id: 'operator', name: 'Operator' };

const findAccount = statement(
  'find_account_for_key',
  'SELECT id, mode FROM account WHERE $1::text IS NULL OR id = $1 ORDER BY created_at, id LIMIT 1',
);

/**
 * Makes a key of an existing account for a person who has none there. For operators: no request makes a person. Throws
 * `not_found` for an unknown account.
 */
export async function createAccountKey(
  core: Core,
  input: NewAccountKey,
): Promise<{ accountId: string; keyId: string; apiKey: string }> {
  const values = [input.accountId ?? null];
  const [account] = await core.database.query<{ id: string; mode: 'live' | 'test' }>(findAccount, values);
  if (!account) throw notFound('account');
  const context: Context = { ...systemContext(core, account.id, 'account_key'), actor: operator };
  return transaction(context, async (tx) => {
    const { name, scope } = input;
    const { key, entity } = mintKey(tx, context, { mode: account.mode, name, scope, authority: fullAuthority });
    await tx.em.flush();
    const record = entity.toRecord(context.clock.now());
    await audit(tx, context, { action: 'apiKeys.create', resourceId: entity.id, after: record });
    await emit(tx, context, { type: 'api_key.created', data: record });
    return { accountId: account.id, keyId: entity.id, apiKey: key };
  });
}
