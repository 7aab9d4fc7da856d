import type { operations } from '@finhook/contracts';
import type { Context } from '../../kernel/context.ts';
import type { OutputOf } from '../../kernel/verb.ts';
import { Account } from './account.entity.ts';
import { ApiKey } from './api-key.entity.ts';

/** The account and the key of the request. */
export async function getMe(context: Context): Promise<OutputOf<typeof operations.me.get>> {
  const em = context.database.em();
  const account = await em.findOneOrFail(Account, context.accountId);
  const key = await em.findOneOrFail(ApiKey, { id: context.keyId, accountId: context.accountId });
  return {
    object: 'me',
    account: {
      id: account.id,
      object: 'account',
      name: account.name,
      mode: account.mode,
      created_at: account.createdAt.toISOString(),
    },
    api_key: {
      id: key.id,
      name: key.name,
      scope: key.scope,
      company_ids: key.companyIds ?? null,
      permissions: key.permissions ?? null,
      agent_id: key.agentId ?? null,
      expires_at: key.expiresAt?.toISOString() ?? null,
    },
  };
}
