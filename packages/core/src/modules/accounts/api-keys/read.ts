import type { operations } from '@finhook/contracts';
import type { EntityManager } from '@mikro-orm/postgresql';
import { type Queryable, statement } from '../../../db/queryable.ts';
import type { Context } from '../../../verbs/context.ts';
import { notFound } from '../../../verbs/domain-error.ts';
import { listVerb, type Verb } from '../../../verbs/verb.ts';
import { ApiKey, type ApiKeyRow, toApiKey } from './api-key.entity.ts';

/** A restricted key sees only keys that access no other companies. */
export async function findApiKey(em: EntityManager, context: Context, keyId: string): Promise<ApiKey> {
  const key = await em.findOne(ApiKey, { id: keyId, account_id: context.accountId });
  if (!key || !isWithinAccess(context, key)) throw notFound('API key');
  return key;
}

function isWithinAccess({ access: { companyIds } }: Context, key: ApiKey): boolean {
  return companyIds === undefined || key.company_ids?.every((id) => companyIds.includes(id)) === true;
}

export const getApiKey: Verb<typeof operations.apiKeys.get> = async (context, input) => {
  const key = await findApiKey(context.database.em(), context, input.key_id);
  return toApiKey(key, context.clock.now());
};

export const listApiKeys = listVerb<typeof operations.apiKeys.list, ApiKeyRow, Date>({
  table: 'api_key',
  prefix: 'key',
  filters(filters, context, input) {
    const now = context.clock.now();
    const at = now.toISOString();
    filters.where(context.accountId, 'account_id = ?');
    filters.where(context.access.companyIds, 'company_ids <@ ?::text[]');
    if (input.status === 'revoked') filters.where(at, '(revoked_at IS NOT NULL OR overlap_until <= ?)');
    if (input.status === 'expired') {
      filters.where(at, 'revoked_at IS NULL AND overlap_until IS NULL AND expires_at <= ?');
    }
    if (input.status === 'active') filters.where(at, 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)');
    filters.whereEqual(input, ['scope']);
    filters.whereContains(input.q, ['name']);
    return now;
  },
  map: toApiKey,
});

const readPersonKeys = statement(
  'read_person_keys',
  'SELECT id FROM api_key WHERE account_id = $1 AND coalesce(person_id, id) = $2',
);

export async function personKeys(db: Queryable, context: Context): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ id: string }>(readPersonKeys, [context.accountId, context.personId]);
  return new Set([context.keyId, ...rows.map(({ id }) => id)]);
}
