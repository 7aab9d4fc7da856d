import type { Actor } from '@finhook/contracts';
import { statement } from '../../db/queryable.ts';
import { type Context, type Core, systemContext } from '../../kernel/context.ts';
import { notFound } from '../../kernel/domain-error.ts';
import { recordChange } from '../../kernel/record-change.ts';
import { transaction } from '../../kernel/transaction.ts';
import { fullAuthority, insertKey } from './api-keys/insert-key.ts';

export interface NewAccountKey {
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
 * Creates a key of an existing account for a person without one. For operators: a request cannot add a person. Throws
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
    const { mode } = account;
    const { key, created } = await insertKey(tx, context, { mode, name, scope, authority: fullAuthority });
    const event = { type: 'api_key.created', data: created } as const;
    await recordChange(tx, context, { action: 'apiKeys.create', after: created, event });
    return { accountId: account.id, keyId: created.id, apiKey: key };
  });
}
