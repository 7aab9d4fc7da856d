import type { operations } from '@finhook/contracts';
import type { Context } from '../../kernel/context.ts';
import { Filters, readPage } from '../../kernel/keyset.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { ApiKey } from './api-key.entity.ts';

type Op = typeof operations.apiKeys.list;

/** Lists the account's keys, newest first. */
export async function listApiKeys(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  const now = context.clock.now();
  const em = context.database.em();
  const filters = new Filters();
  filters.when(context.accountId, 'account_id = ?');
  if (input.status === 'revoked') filters.add('revoked_at IS NOT NULL');
  if (input.status === 'expired') filters.when(now.toISOString(), 'revoked_at IS NULL AND expires_at <= ?');
  if (input.status === 'active')
    filters.when(now.toISOString(), 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)');
  return readPage<{ id: string }, OutputOf<Op>['data'][number]>({
    query: context.database.query,
    select: '*',
    from: 'api_key',
    filters,
    sort: [{ sql: 'id', cast: 'text', read: (row) => row.id }],
    page: input,
    toItem: (row) => em.map(ApiKey, row).toRecord(now),
  });
}
