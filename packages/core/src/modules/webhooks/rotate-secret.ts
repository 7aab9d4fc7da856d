import type { operations } from '@finhook/contracts';
import { generateWebhookSecret } from '@finhook/signing';
import { audit } from '../../kernel/audit.ts';
import type { Context } from '../../kernel/context.ts';
import { DomainError } from '../../kernel/domain-error.ts';
import { transaction } from '../../kernel/transaction.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { completeRecord } from './endpoint-flow.ts';
import { findEndpoint } from './read-endpoints.ts';
import { secretPlace, type WebhookEndpoint } from './webhook-endpoint.entity.ts';

type Op = typeof operations.webhookEndpoints.rotateSecret;

/** Seconds that both secrets sign when the request names none: a day (decisions D44). */
const DEFAULT_OVERLAP = 86_400;

/**
 * Gives an endpoint a new secret. Until the overlap ends `x-service-signature` is made with the old one and
 * `webhook-signature` lists both. Throws 409 while another overlap runs, unless this rotation has none: then every
 * earlier secret ends at once.
 */
export async function rotateSecret(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  return transaction(context, { lock: input.endpoint_id }, async (tx) => {
    const now = context.clock.now();
    const overlapMs = (input.overlap_seconds ?? DEFAULT_OVERLAP) * 1_000;
    const endpoint = await findEndpoint(context, input.endpoint_id, tx.em);
    const before = endpoint.toRecord(now);
    if (overlapMs > 0) refuseDuringOverlap(endpoint, now);
    const secret = generateWebhookSecret();
    endpoint.previousSecret = overlapMs > 0 ? endpoint.secret : null;
    endpoint.previousSecretUntil = overlapMs > 0 ? new Date(now.getTime() + overlapMs) : null;
    endpoint.secret = context.secrets.encrypt(secret, secretPlace(endpoint.id));
    endpoint.updatedAt = now;
    await tx.em.flush();
    const after = endpoint.toRecord(now);
    await audit(tx, context, {
      action: 'webhookEndpoints.rotateSecret',
      companyId: endpoint.companyId ?? null,
      resourceId: endpoint.id,
      before,
      after,
    });
    return { ...(await completeRecord(tx, after, now)), secret };
  });
}

function refuseDuringOverlap({ previousSecretUntil }: WebhookEndpoint, now: Date): void {
  if (previousSecretUntil == null || previousSecretUntil <= now) return;
  throw new DomainError('invalid_state_transition', {
    detail:
      'The last rotation still overlaps. Complete it first, or rotate with overlap_seconds 0 to end every earlier secret.',
    extra: { current_status: 'overlapping', allowed: [], until: previousSecretUntil.toISOString() },
  });
}
