import type { operations } from '@finhook/contracts';
import { redactUrl } from '@finhook/delivery';
import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { filterByReach } from '../../kernel/access.ts';
import type { Context } from '../../kernel/context.ts';
import { notFound } from '../../kernel/domain-error.ts';
import { byId, Filters, likePattern, readPage } from '../../kernel/keyset.ts';
import type { Work } from '../../kernel/transaction.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { completeRecord, completeRecords } from './endpoint-flow.ts';
import type { StoredEndpoint } from './webhook-endpoint.entity.ts';
import { WebhookEndpoint } from './webhook-endpoint.entity.ts';

type GetOp = typeof operations.webhookEndpoints.get;
type ListOp = typeof operations.webhookEndpoints.list;

/**
 * The endpoint, if it belongs to the caller's account and is not deleted. A narrowed caller knows those that are bound
 * to a company it reaches. Throws `not_found`.
 */
export async function findEndpoint(
  context: Context,
  endpointId: string,
  em: EntityManager = context.database.em(),
): Promise<WebhookEndpoint> {
  const endpoint = await em.findOne(WebhookEndpoint, { ...reached(context, endpointId), deletedAt: null });
  if (!endpoint) throw notFound('webhook endpoint');
  return endpoint;
}

/** Throws `not_found` as `findEndpoint` does, and knows those that are deleted, too: their deliveries are kept. */
export async function assertEndpoint(context: Context, endpointId: string): Promise<void> {
  const known = await context.database.em().count(WebhookEndpoint, reached(context, endpointId));
  if (known === 0) throw notFound('webhook endpoint');
}

function reached({ accountId, access: { companyIds } }: Context, id: string) {
  return { id, accountId, ...(companyIds ? { companyId: { $in: [...companyIds] } } : {}) };
}

/** Whether the caller may change endpoints. Others see neither a query, which may carry a token, nor a signature. */
export function writesEndpoints({ scope, access: { permissions } }: Context): boolean {
  return scope === 'human' && permissions?.includes('webhooks:write') !== false;
}

/** The URL of an endpoint that the caller knows, as far as they may see it. */
export function shownUrl(context: Context, url: string): string {
  return writesEndpoints(context) ? url : redactUrl(url);
}

function shownEndpoint<T extends { url: string }>(context: Context, record: T): T {
  return { ...record, url: shownUrl(context, record.url) };
}

/** For the service's own work on it: the endpoint, locked until the transaction ends; null when it is gone. */
export function lockEndpoint({ em }: Work, id: string): Promise<WebhookEndpoint | null> {
  return em.findOne(WebhookEndpoint, { id, deletedAt: null }, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

/** Reads an endpoint; its secret is never part of it. */
export async function getEndpoint(context: Context, input: InputOf<GetOp>): Promise<OutputOf<GetOp>> {
  const now = context.clock.now();
  const endpoint = await findEndpoint(context, input.endpoint_id);
  return completeRecord(context.database, shownEndpoint(context, endpoint.toRecord(now)), now);
}

/** Lists the account's endpoints, newest first. */
export async function listEndpoints(context: Context, input: InputOf<ListOp>): Promise<OutputOf<ListOp>> {
  const em = context.database.em();
  const now = context.clock.now();
  const filters = new Filters();
  filters.when(context.accountId, 'account_id = ?');
  filters.add('deleted_at IS NULL');
  filterByReach(filters, context, 'company_id');
  filters.when(input.status, 'status = ?');
  filters.when(input.company_id, 'company_id = ?');
  // A search must not find what is not shown: what follows the question mark, chr(63).
  const url = writesEndpoints(context) ? 'url' : 'split_part(url, chr(63), 1)';
  filters.when(input.q === undefined ? undefined : likePattern(input.q), `(${url} ILIKE ? OR description ILIKE ?)`);
  filters.whenTimes(input);
  const page = await readPage<{ id: string }, StoredEndpoint>({
    query: context.database.query,
    select: '*',
    from: 'webhook_endpoint',
    filters,
    bytes: 'coalesce(octet_length(filter::text), 0)',
    sort: [byId('we')],
    page: input,
    toItem: (row) => shownEndpoint(context, em.map(WebhookEndpoint, row).toRecord(now)),
  });
  return { ...page, data: await completeRecords(context.database, page.data, now) };
}
