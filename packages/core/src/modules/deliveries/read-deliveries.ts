import type { ListedDelivery, operations } from '@finhook/contracts';
import { filterByReach, reachesSql, reachOf } from '../../kernel/access.ts';
import type { Context } from '../../kernel/context.ts';
import { notFound } from '../../kernel/domain-error.ts';
import { byId, Filters, readPage } from '../../kernel/keyset.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { assertEndpoint } from '../webhooks/read-endpoints.ts';
import { type EndpointStanding, type LastAttempt, toListed, undelivered, withStanding } from './delivery-reason.ts';
import type { DeliveryRow } from './delivery-record.ts';
import { readAttempts, toAttempt } from './read-attempts.ts';

type GetOp = typeof operations.deliveries.get;
type ListOp = typeof operations.deliveries.list;

// Among what is selected, so that only rows of the page are looked up, and none when they are counted.
const lastDuration = `(SELECT a.duration_ms FROM attempt a WHERE a.delivery_id = delivery.id ORDER BY a.n DESC LIMIT 1)`;

const find = `SELECT * FROM ${withStanding}
  WHERE id = $1 AND account_id = $2 AND ${reachesSql('$3')}`;

/** The delivery, if the caller reaches it. Throws `not_found`. */
export async function findDelivery(context: Context, deliveryId: string): Promise<DeliveryRow & EndpointStanding> {
  const [row] = await context.database.query<DeliveryRow & EndpointStanding>(find, [
    deliveryId,
    context.accountId,
    reachOf(context),
  ]);
  if (!row) throw notFound('delivery');
  return row;
}

/** Reads a delivery with each of its attempts, first to last, and the evidence of each. */
export async function getDelivery(context: Context, input: InputOf<GetOp>): Promise<OutputOf<GetOp>> {
  const row = await findDelivery(context, input.delivery_id);
  const attempts = await readAttempts(context, row);
  const last_duration_ms = attempts.at(-1)?.duration_ms ?? null;
  return {
    ...toListed({ ...row, last_duration_ms }),
    attempts: attempts.map((attempt) => toAttempt(context, row, attempt)),
  };
}

/** Lists the account's deliveries, newest first; those of a deleted endpoint among them. */
export async function listDeliveries(context: Context, input: InputOf<ListOp>): Promise<OutputOf<ListOp>> {
  if (input.endpoint_id !== undefined) await assertEndpoint(context, input.endpoint_id);
  const filters = new Filters();
  filters.where(context.accountId, 'account_id = ?');
  filterByReach(filters, context, 'company_id');
  filters.where(input.endpoint_id, 'endpoint_id = ?');
  filters.where(input.event_id, 'event_id = ?');
  filters.where(input.event_type, 'event_type = ?');
  filters.where(input.company_id, 'company_id = ?');
  filters.where(input.replay_id, 'replay_id = ?');
  filters.whereIdTimes('dlv', input);
  if (input.status === 'retrying') filters.add("status = 'pending' AND attempt_count > 0");
  else if (input.status === 'pending') filters.add("status = 'pending' AND attempt_count = 0");
  else if (input.status === 'undelivered') filters.add(undelivered);
  else filters.where(input.status, 'status = ?');
  return readPage<DeliveryRow & EndpointStanding & LastAttempt, ListedDelivery>({
    query: context.database.query,
    select: `*, ${lastDuration} AS last_duration_ms`,
    from: withStanding,
    filters,
    sort: [byId('dlv')],
    page: input,
    toItem: toListed,
  });
}
