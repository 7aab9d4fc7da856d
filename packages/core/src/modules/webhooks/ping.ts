import { randomBytes } from 'node:crypto';
import type { operations } from '@finhook/contracts';
import { failureOf, type PreparedRequest, prepareRequest, type SendResult, signersOf } from '@finhook/delivery';
import { createAsymmetricSigner, createSigner } from '@finhook/signing';
import { statement } from '../../db/queryable.ts';
import { audit } from '../../outbox/audit.ts';
import { transaction } from '../../outbox/transaction.ts';
import type { Context } from '../../verbs/context.ts';
import { DomainError } from '../../verbs/domain-error.ts';
import type { OutputOf, Verb } from '../../verbs/verb.ts';
import { readHeaders } from './endpoint-headers.ts';
import { findEndpoint } from './read.ts';
import { privateKeyAad, secretAad, type WebhookEndpoint } from './webhook-endpoint.entity.ts';

type Op = typeof operations.webhookEndpoints.ping;

const TYPE = 'webhook_endpoint.ping';
const EVERY_SECONDS = 10;

// One statement, so that one of two concurrent pings is rejected.
const takeTurn = statement(
  'take_ping_turn',
  `UPDATE webhook_endpoint SET pinged_at = $2::timestamptz
   WHERE id = $1 AND (pinged_at IS NULL OR pinged_at <= $2::timestamptz - $3::int * interval '1 second') RETURNING id`,
);

export const pingEndpoint: Verb<Op> = async (context, input) => {
  const endpoint = await findEndpoint(context, input.endpoint_id);
  const at = context.clock.now();
  const turn = await context.database.query(takeTurn, [endpoint.id, at.toISOString(), EVERY_SECONDS]);
  if (turn.length === 0) {
    const detail = `The endpoint was pinged less than ${EVERY_SECONDS} seconds ago. Try again later.`;
    throw new DomainError('rate_limited', { detail, retryAfter: EVERY_SECONDS });
  }
  const challenge = randomBytes(16).toString('hex');
  const result = await context.outgoing.sendWebhook(preparePing(context, endpoint, challenge, at)).catch(notSent);
  const outcome = describeResult(result, challenge);
  return transaction(context, { records: 'audit' }, async (tx) => {
    audit(tx, context, {
      action: 'webhookEndpoints.ping',
      companyId: endpoint.company_id ?? null,
      resourceId: endpoint.id,
      after: outcome,
    });
    return { object: 'webhook_ping', endpoint_id: endpoint.id, challenge, ...outcome, at: at.toISOString() };
  });
};

/** The body is an event's envelope, which receivers can already verify and read. */
function preparePing(context: Context, endpoint: WebhookEndpoint, challenge: string, at: Date): PreparedRequest {
  const { id, secret, previous_secret, previous_secret_until: until, private_key } = endpoint;
  const eventId = context.newId('evt');
  const data = { object: 'webhook_ping', endpoint_id: id, challenge };
  const envelope = { id: eventId, type: TYPE, created_at: at.toISOString(), account_id: context.accountId, data };
  const open = (sealed: string) => createSigner(context.secrets.decrypt(sealed, secretAad(id)));
  const overlaps = previous_secret != null && until != null && until > at;
  const signers = signersOf({
    current: open(secret ?? ''),
    previous: overlaps ? open(previous_secret) : undefined,
    asymmetric:
      private_key == null ? undefined : createAsymmetricSigner(context.secrets.decrypt(private_key, privateKeyAad(id))),
  });
  return prepareRequest(
    {
      id: context.newId('dlv'),
      eventId,
      eventType: TYPE,
      attempt: 1,
      body: Buffer.from(JSON.stringify(envelope)),
      test: true,
    },
    { url: endpoint.url, ...signers, headers: readHeaders(context, endpoint) },
    at,
  );
}

/** The failure is the service's: the egress proxy was unreachable, or no socket was free. */
function notSent(cause: unknown): never {
  const detail =
    'The ping could not be sent because this service has no outbound connectivity at the moment. Try again in a minute.';
  throw new DomainError('unavailable', { detail, retryAfter: 60, cause });
}

type PingOutcome = Pick<
  OutputOf<Op>,
  'ok' | 'challenge_answered' | 'status_code' | 'error' | 'error_message' | 'duration_ms'
>;

function describeResult(result: SendResult, challenge: string): PingOutcome {
  const failure = failureOf(result);
  const response = result.kind === 'response' ? result : result.response;
  return {
    ok: failure === undefined,
    challenge_answered: failure === undefined && result.kind === 'response' && result.bodySnippet.includes(challenge),
    status_code: response?.statusCode ?? null,
    error: failure?.error ?? null,
    error_message: failure?.message ?? null,
    duration_ms: result.durationMs,
  };
}
