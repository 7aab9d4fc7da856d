import type { operations } from '@finhook/contracts';
import { maskedHeaderValue, toCurl } from '@finhook/delivery';
import { readableEventSql, readerOf } from '../../kernel/access.ts';
import type { Context } from '../../kernel/context.ts';
import { notFound } from '../../kernel/domain-error.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { findDelivery } from './read.ts';
import { preparedHeaders, readAttempts, toAttempt } from './read-attempts.ts';

type Op = typeof operations.deliveries.curl;

const readBody = `SELECT body FROM event
  WHERE id = $1 AND account_id = $2 AND ${readableEventSql(3)}`;

/**
 * The command repeats the signature of the attempt, which receivers reject after five minutes. Throws `not_found` also
 * if the request was not recorded or is purged.
 */
export async function getCurl(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  const delivery = await findDelivery(context, input.delivery_id);
  const [rows, [event]] = await Promise.all([
    readAttempts(context, delivery),
    context.database.query<{ body: string }>(readBody, [delivery.event_id, context.accountId, ...readerOf(context)]),
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
