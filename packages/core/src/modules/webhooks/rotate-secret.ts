import type { operations } from '@finhook/contracts';
import { generateWebhookSecret } from '@finhook/signing';
import { systemStatement } from '../../db/queryable.ts';
import { recordChange } from '../../outbox/record-change.ts';
import { transaction } from '../../outbox/transaction.ts';
import type { Core } from '../../verbs/context.ts';
import { DomainError } from '../../verbs/domain-error.ts';
import type { Verb } from '../../verbs/verb.ts';
import { completeRecord } from './endpoint-flow.ts';
import { findEndpoint } from './read.ts';
import { secretAad, storedEndpoint, type WebhookEndpoint } from './webhook-endpoint.entity.ts';

const DEFAULT_OVERLAP_SECONDS = 86_400;

export const rotateSecret: Verb<typeof operations.webhookEndpoints.rotateSecret> = (context, input) =>
  transaction(context, { records: 'audit', lock: input.endpoint_id }, async (tx) => {
    const now = context.clock.now();
    const overlapMs = (input.overlap_seconds ?? DEFAULT_OVERLAP_SECONDS) * 1_000;
    const endpoint = await findEndpoint(context, input.endpoint_id, tx.em);
    const before = storedEndpoint(endpoint, now);
    if (overlapMs > 0) assertNoOverlap(endpoint, now);
    const secret = generateWebhookSecret();
    endpoint.previous_secret = overlapMs > 0 ? endpoint.secret : null;
    endpoint.previous_secret_until = overlapMs > 0 ? new Date(now.getTime() + overlapMs) : null;
    endpoint.secret = context.secrets.encrypt(secret, secretAad(endpoint.id));
    endpoint.updated_at = now;
    await tx.em.flush();
    const after = storedEndpoint(endpoint, now);
    recordChange(tx, context, { action: 'webhookEndpoints.rotateSecret', before, after });
    return { ...(await completeRecord(tx, after, now)), secret };
  });

function assertNoOverlap({ previous_secret_until: until }: WebhookEndpoint, now: Date): void {
  if (until == null || until <= now) return;
  throw new DomainError('invalid_state_transition', {
    detail:
      'The overlap of the last rotation has not ended. Complete that rotation first, or rotate with overlap_seconds 0 to end all earlier secrets.',
    extra: { current_status: 'overlapping', allowed: [], until: until.toISOString() },
  });
}

export const completeRotation: Verb<typeof operations.webhookEndpoints.completeRotation> = (context, input) =>
  transaction(context, { records: 'audit', lock: input.endpoint_id }, async (tx) => {
    const endpoint = await findEndpoint(context, input.endpoint_id, tx.em);
    const now = context.clock.now();
    const before = storedEndpoint(endpoint, now);
    if (endpoint.previous_secret == null) return completeRecord(tx, before, now);
    endpoint.previous_secret = null;
    endpoint.previous_secret_until = null;
    endpoint.updated_at = now;
    await tx.em.flush();
    const after = storedEndpoint(endpoint, now);
    recordChange(tx, context, { action: 'webhookEndpoints.completeRotation', before, after });
    return completeRecord(tx, after, now);
  });

const wipe = systemStatement(
  'end_secret_overlaps',
  `UPDATE webhook_endpoint SET previous_secret = NULL, previous_secret_until = NULL
   WHERE id = ANY (ARRAY(
     SELECT id FROM webhook_endpoint WHERE previous_secret_until <= $1::timestamptz FOR UPDATE SKIP LOCKED)) RETURNING id`,
);

export async function endSecretOverlaps(core: Core): Promise<number> {
  return (await core.database.query(wipe, [core.clock.now().toISOString()])).length;
}
