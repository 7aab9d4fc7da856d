import type { operations } from '@finhook/contracts';
import { audit } from '../../kernel/audit.ts';
import type { Context } from '../../kernel/context.ts';
import { emit } from '../../kernel/emit.ts';
import { transaction } from '../../kernel/transaction.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { Account } from './account.entity.ts';
import { mintKey } from './mint-key.ts';

type Op = typeof operations.apiKeys.create;

/** Mints a key; its plain text is in this answer only. */
export async function createApiKey(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  return transaction(context, {}, async (tx) => {
    const account = await tx.em.findOneOrFail(Account, context.accountId);
    const now = context.clock.now();
    const { key, entity } = mintKey(tx, context, {
      accountId: account.id,
      mode: account.mode,
      name: input.name,
      scope: input.scope,
      createdBy: context.actor,
      expiresAt: input.expires_in_days ? new Date(now.getTime() + input.expires_in_days * 86_400_000) : null,
    });
    await tx.em.flush();
    const record = entity.toRecord(now);
    await audit(tx, context, { action: 'apiKeys.create', resourceId: entity.id, after: record });
    await emit(tx, context, { type: 'api_key.created', accountId: account.id, data: record });
    return { ...record, key };
  });
}
