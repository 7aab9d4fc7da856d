import type { operations } from '@finhook/contracts';
import { redactUrl } from '@finhook/delivery';
import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { filterByCompanyAccess } from '../../access/access.ts';
import type { Transaction } from '../../db/database.ts';
import type { Context } from '../../verbs/context.ts';
import { notFound } from '../../verbs/domain-error.ts';
import { listVerb, type Verb } from '../../verbs/verb.ts';
import { completeRecord, completeRecords } from './endpoint-flow.ts';
import { storedEndpoint, WebhookEndpoint } from './webhook-endpoint.entity.ts';

/** Throws `not_found` without access, and for a deleted endpoint. */
export async function findEndpoint(
  context: Context,
  endpointId: string,
  em: EntityManager = context.database.em(),
): Promise<WebhookEndpoint> {
  const endpoint = await em.findOne(WebhookEndpoint, { ...accessible(context, endpointId), deleted_at: null });
  if (!endpoint) throw notFound('webhook endpoint');
  return endpoint;
}

/** Like `findEndpoint`, but accepts deleted endpoints, whose deliveries are kept. */
export async function assertEndpoint(context: Context, endpointId: string): Promise<void> {
  const known = await context.database.em().count(WebhookEndpoint, accessible(context, endpointId));
  if (known === 0) throw notFound('webhook endpoint');
}

function accessible({ accountId, access: { companyIds } }: Context, id: string) {
  return { id, account_id: accountId, ...(companyIds ? { company_id: { $in: [...companyIds] } } : {}) };
}

/** Other callers see neither signatures nor a URL's query string, which may contain a token. */
export function writesEndpoints({ scope, access: { permissions } }: Context): boolean {
  return scope === 'human' && permissions?.includes('webhooks:write') !== false;
}

export function shownUrl(context: Context, url: string): string {
  return writesEndpoints(context) ? url : redactUrl(url);
}

function shownEndpoint<T extends { url: string }>(context: Context, record: T): T {
  return { ...record, url: shownUrl(context, record.url) };
}

export function lockEndpoint({ em }: Transaction, id: string): Promise<WebhookEndpoint | null> {
  return em.findOne(WebhookEndpoint, { id, deleted_at: null }, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

export const getEndpoint: Verb<typeof operations.webhookEndpoints.get> = async (context, input) => {
  const now = context.clock.now();
  const endpoint = await findEndpoint(context, input.endpoint_id);
  return completeRecord(context.database, shownEndpoint(context, storedEndpoint(endpoint, now)), now);
};

export const listEndpoints = listVerb<typeof operations.webhookEndpoints.list, { id: string }, Date>({
  table: 'webhook_endpoint',
  prefix: 'we',
  bytes: 'coalesce(octet_length(filter::text), 0)',
  filters(filters, context, input) {
    filters.where(context.accountId, 'account_id = ?');
    filters.add('deleted_at IS NULL');
    filterByCompanyAccess(filters, context, 'company_id');
    filters.whereEqual(input, ['status', 'company_id']);
    // A search must not match a hidden query string; chr(63) is the question mark.
    const url = writesEndpoints(context) ? 'url' : 'split_part(url, chr(63), 1)';
    filters.whereContains(input.q, [url, 'description']);
    return context.clock.now();
  },
  mapPage(rows, now, context) {
    const em = context.database.em();
    const shown = rows.map((row) => shownEndpoint(context, storedEndpoint(em.map(WebhookEndpoint, row), now)));
    return completeRecords(context.database, shown, now);
  },
});
