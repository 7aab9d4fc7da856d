import type { operations } from '@finhook/contracts';
import { accessibleCompanies, companyAccessSql, filterByCompanyAccess } from '../../kernel/access.ts';
import type { Context } from '../../kernel/context.ts';
import { notFound } from '../../kernel/domain-error.ts';
import { type InputOf, listVerb, type OutputOf } from '../../kernel/verb.ts';
import { assertEndpoint } from '../webhooks/read.ts';
import {
  type DeliveryRow,
  type EndpointState,
  type ListedRow,
  toListed,
  undelivered,
  withEndpointState,
} from './delivery-record.ts';
import { readAttempts, toAttempt } from './read-attempts.ts';

type GetOp = typeof operations.deliveries.get;

// In the select list, so that only rows of the page read it, and not a count.
const lastDuration = `(SELECT a.duration_ms FROM attempt a WHERE a.delivery_id = delivery.id ORDER BY a.n DESC LIMIT 1)`;

const find = `SELECT * FROM ${withEndpointState}
  WHERE id = $1 AND account_id = $2 AND ${companyAccessSql('$3')}`;

export async function findDelivery(context: Context, deliveryId: string): Promise<DeliveryRow & EndpointState> {
  const [row] = await context.database.query<DeliveryRow & EndpointState>(find, [
    deliveryId,
    context.accountId,
    accessibleCompanies(context),
  ]);
  if (!row) throw notFound('delivery');
  return row;
}

export async function getDelivery(context: Context, input: InputOf<GetOp>): Promise<OutputOf<GetOp>> {
  const row = await findDelivery(context, input.delivery_id);
  const attempts = await readAttempts(context, row);
  const last_duration_ms = attempts.at(-1)?.duration_ms ?? null;
  return {
    ...toListed({ ...row, last_duration_ms }),
    attempts: attempts.map((attempt) => toAttempt(context, row, attempt)),
  };
}

/** Includes the deliveries of deleted endpoints. */
export const listDeliveries = listVerb<typeof operations.deliveries.list, ListedRow>({
  table: withEndpointState,
  prefix: 'dlv',
  select: `*, ${lastDuration} AS last_duration_ms`,
  times: false,
  async filters(filters, context, input) {
    if (input.endpoint_id !== undefined) await assertEndpoint(context, input.endpoint_id);
    filters.where(context.accountId, 'account_id = ?');
    filterByCompanyAccess(filters, context, 'company_id');
    filters.whereEqual(input, ['endpoint_id', 'event_id', 'event_type', 'company_id', 'replay_id']);
    filters.whereIdTimes('dlv', input);
    if (input.status === 'retrying') filters.add("status = 'pending' AND attempt_count > 0");
    else if (input.status === 'pending') filters.add("status = 'pending' AND attempt_count = 0");
    else if (input.status === 'undelivered') filters.add(undelivered);
    else filters.where(input.status, 'status = ?');
  },
  map: toListed,
});
