import type { operations } from '@finhook/contracts';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Context } from '../../kernel/context.ts';
import { notFound } from '../../kernel/domain-error.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { ApiKey } from './api-key.entity.ts';

type Op = typeof operations.apiKeys.get;

/**
 * The key, if it belongs to the caller's account and reaches no company that the caller does not. Throws `not_found`.
 */
export async function findApiKey(em: EntityManager, context: Context, keyId: string): Promise<ApiKey> {
  const key = await em.findOne(ApiKey, { id: keyId, accountId: context.accountId });
  if (!key || !isWithinReach(context, key)) throw notFound('API key');
  return key;
}

function isWithinReach({ access: { companyIds } }: Context, key: ApiKey): boolean {
  return companyIds === undefined || key.companyIds?.every((id) => companyIds.includes(id)) === true;
}

/** Reads an API key; the key itself is never part of it. */
export async function getApiKey(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  const key = await findApiKey(context.database.em(), context, input.key_id);
  return key.toRecord(context.clock.now());
}
