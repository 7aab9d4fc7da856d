import type { operations } from '@finhook/contracts';
import { maskedHeaderValue, toCurl } from '@finhook/delivery';
import { accessibleCompanies, companyAccessSql, readableEventSql, readerOf } from '../../access/access.ts';
import type { Context } from '../../verbs/context.ts';
import { notFound } from '../../verbs/domain-error.ts';
import { type InputOf, listVerb, type OutputOf } from '../../verbs/verb.ts';
import {
  type DeliveryRow,
  type EndpointState,
  type ListedRow,
  listedColumns,
  toListed,
  withEndpointState,
} from './delivery-record.ts';
import { preparedHeaders, readAttempts, toAttempt } from './read-attempts.ts';
import { selectByIndex, selectByRow } from './select-deliveries.ts';

type GetOp = typeof operations.deliveries.get;

// In the select list, so that counts and rows outside of the page don't read them.
const lastDuration = `(SELECT a.duration_ms FROM attempt a WHERE a.delivery_id = delivery.id ORDER BY a.n DESC LIMIT 1)`;
const immediateRetries = `(SELECT count(*)::int FROM attempt a WHERE a.delivery_id = delivery.id AND a.disposition = 'again')`;

const find = `SELECT ${listedColumns} FROM ${withEndpointState}
  WHERE id = $1 AND account_id = $2 AND ${companyAccessSql('$3')}`;

async function findDelivery(context: Context, deliveryId: string): Promise<DeliveryRow & EndpointState> {
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
  const immediate_retry_count = attempts.filter(({ disposition }) => disposition === 'again').length;
  return {
    ...toListed({ ...row, last_duration_ms, immediate_retry_count }),
    attempts: attempts.map((attempt) => toAttempt(context, row, attempt)),
  };
}

export const listDeliveries = listVerb<typeof operations.deliveries.list, ListedRow>({
  table: withEndpointState,
  prefix: 'dlv',
  select: `${listedColumns}, ${lastDuration} AS last_duration_ms, ${immediateRetries} AS immediate_retry_count`,
  times: false,
  async filters(filters, context, input) {
    await selectByIndex(filters, context, input);
    selectByRow(filters, context, input);
  },
  map: toListed,
});

type Op = typeof operations.deliveries.curl;

const readBody = `SELECT coalesce((SELECT thin_body FROM delivery WHERE id = $5 AND account_id = $2), body) AS body FROM event
  WHERE id = $1 AND account_id = $2 AND ${readableEventSql(3)}`;

/** Receivers reject the attempt's signature after five minutes. Throws `not_found` if the request is purged. */
export async function getCurl(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  const delivery = await findDelivery(context, input.delivery_id);
  const [rows, [event]] = await Promise.all([
    readAttempts(context, delivery),
    context.database.query<{ body: string }>(readBody, [
      delivery.event_id,
      context.accountId,
      ...readerOf(context),
      delivery.id,
    ]),
  ]);
  const row = rows.find(({ n }) => String(n) === input.attempt);
  if (!row || !event) throw notFound('attempt');
  const { url } = toAttempt(context, delivery, row);
  const headers = preparedHeaders(context, delivery, row);
  if (url === null || headers === null) throw notFound('request of this attempt');
  const masked = Object.keys(headers).filter((name) => headers[name] === maskedHeaderValue);
  return {
    object: 'attempt_curl',
    delivery_id: delivery.id,
    attempt: row.n,
    command: toCurl({ url, headers, body: event.body }),
    masked_headers: masked,
  };
}
