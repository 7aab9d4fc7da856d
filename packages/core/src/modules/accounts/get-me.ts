import { me, type operations } from '@finhook/contracts';
import type { Context } from '../../kernel/context.ts';
import { record } from '../../kernel/record.ts';
import type { OutputOf } from '../../kernel/verb.ts';
import { Account } from './account.entity.ts';
import { ApiKey } from './api-keys/api-key.entity.ts';

const { account: accountSchema, api_key: keySchema } = me.shape;

export async function getMe(context: Context): Promise<OutputOf<typeof operations.me.get>> {
  const em = context.database.em();
  const account = await em.findOneOrFail(Account, context.accountId);
  const key = await em.findOneOrFail(ApiKey, { id: context.keyId, account_id: context.accountId });
  return { object: 'me', account: record(accountSchema, account), api_key: record(keySchema, key) };
}
