import type { operations } from '@finhook/contracts';
import type { Context } from '../../kernel/context.ts';
import { byId, Filters, likePattern, readPage } from '../../kernel/keyset.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { ApiKey } from './api-key.entity.ts';

type Op = typeof operations.apiKeys.list;

/** Lists the account's keys, newest first. */
export async function listApiKeys(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  const now = context.clock.now();
  const em = context.database.em();
  const filters = new Filters();
  filters.where(context.accountId, 'account_id = ?');
  // A narrowed key sees those that reach no further than itself.
  filters.where(context.access.companyIds, 'company_ids <@ ?::text[]');
  if (input.status === 'revoked') filters.where(now.toISOString(), '(revoked_at IS NOT NULL OR overlap_until <= ?)');
  if (input.status === 'expired')
    filters.where(now.toISOString(), 'revoked_at IS NULL AND overlap_until IS NULL AND expires_at <= ?');
  if (input.status === 'active')
    filters.where(now.toISOString(), 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)');
  filters.where(input.scope, 'scope = ?');
  filters.where(input.q === undefined ? undefined : likePattern(input.q), 'name ILIKE ?');
  filters.whereTimes(input);
  return readPage<{ id: string }, OutputOf<Op>['data'][number]>({
    query: context.database.query,
    select: '*',
    from: 'api_key',
    filters,
    sort: [byId('key')],
    page: input,
    toItem: (row) => em.map(ApiKey, row).toRecord(now),
  });
}
