import type { operations } from '@finhook/contracts';
import type { Context } from '../../kernel/context.ts';
import { notFound } from '../../kernel/domain-error.ts';
import { Filters, readPage } from '../../kernel/keyset.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { WebhookEndpoint } from './webhook-endpoint.entity.ts';

type GetOp = typeof operations.webhookEndpoints.get;
type ListOp = typeof operations.webhookEndpoints.list;

/** The endpoint, if it belongs to the caller's account and is not deleted. */
export async function findEndpoint(context: Context, endpointId: string): Promise<WebhookEndpoint> {
  const endpoint = await context.database
    .em()
    .findOne(WebhookEndpoint, { id: endpointId, accountId: context.accountId, deletedAt: null });
  if (!endpoint) throw notFound('webhook endpoint');
  return endpoint;
}

/** Reads an endpoint; its secret is never part of it. */
export async function getEndpoint(context: Context, input: InputOf<GetOp>): Promise<OutputOf<GetOp>> {
  return (await findEndpoint(context, input.endpoint_id)).toRecord();
}

/** Lists the account's endpoints, newest first. */
export async function listEndpoints(context: Context, input: InputOf<ListOp>): Promise<OutputOf<ListOp>> {
  const em = context.database.em();
  const filters = new Filters();
  filters.when(context.accountId, 'account_id = ?');
  filters.add('deleted_at IS NULL');
  filters.when(input.status, 'status = ?');
  return readPage<{ id: string }, OutputOf<ListOp>['data'][number]>({
    query: context.database.query,
    select: '*',
    from: 'webhook_endpoint',
    filters,
    sort: [{ sql: 'id', cast: 'text', read: (row) => row.id }],
    page: input,
    toItem: (row) => em.map(WebhookEndpoint, row).toRecord(),
  });
}
