import { isDeepStrictEqual } from 'node:util';
import type { FieldError, operations } from '@finhook/contracts';
import { recordChange } from '../../outbox/record-change.ts';
import { transaction } from '../../outbox/transaction.ts';
import { rejectFields } from '../../verbs/domain-error.ts';
import { defineStates } from '../../verbs/state-machine.ts';
import type { Verb } from '../../verbs/verb.ts';
import { applyOptions } from './apply-options.ts';
import { checkEndpointUrl, companyError, eventFilterErrors } from './create.ts';
import { completeRecord, expediteDelayed, expediteFirst, flowDiffers, resetFlow } from './endpoint-flow.ts';
import { movedHeaderErrors } from './endpoint-headers.ts';
import { findEndpoint } from './read.ts';
import { storedEndpoint, type WebhookEndpoint } from './webhook-endpoint.entity.ts';

const endpointStates = defineStates<WebhookEndpoint['status']>('webhook endpoint', {
  active: ['paused', 'disabled'],
  paused: ['active', 'disabled'],
  disabled: ['active'],
});

export const updateEndpoint: Verb<typeof operations.webhookEndpoints.update> = async (context, input) => {
  const errors: FieldError[] = [...eventFilterErrors(input.events ?? [])];
  const checked = input.url === undefined ? undefined : await checkEndpointUrl(context, input.url);
  if (checked && 'error' in checked) errors.unshift(checked.error);
  rejectFields(errors);
  const url = checked && 'url' in checked ? checked.url : undefined;
  return transaction(context, { records: 'audit', lock: input.endpoint_id }, async (tx) => {
    const endpoint = await findEndpoint(context, input.endpoint_id, tx.em);
    const now = context.clock.now();
    const before = storedEndpoint(endpoint, now);
    const headers = endpoint.headers;
    if (url !== undefined && url !== endpoint.url) {
      rejectFields(movedHeaderErrors(endpoint, url, input.headers));
      endpoint.url = url;
      resetFlow(endpoint, now);
    }
    if (input.events !== undefined) endpoint.events = [...new Set(input.events ?? [])];
    if (input.description !== undefined) endpoint.description = input.description;
    if (input.include_internal !== undefined) endpoint.include_internal = input.include_internal ?? false;
    if (input.company_id !== undefined) {
      rejectFields([await companyError(tx, context, input.company_id)]);
      endpoint.company_id = input.company_id;
    }
    applyOptions(context, endpoint, input);
    if (input.status !== undefined) changeStatus(endpoint, input.status, now);
    // Two different header values may have the same mask.
    const isSame = isDeepStrictEqual(storedEndpoint(endpoint, now), before) && endpoint.headers === headers;
    if (isSame) return completeRecord(tx, before, now);
    endpoint.updated_at = now;
    await tx.em.flush();
    const after = storedEndpoint(endpoint, now);
    const isResumed = before.status !== 'active' && after.status === 'active';
    if (isResumed || (after.status === 'active' && flowDiffers(before, after))) {
      tx.handOffs.poke({ id: endpoint.id, accountId: endpoint.account_id });
    }
    if (before.url !== after.url) await expediteDelayed(tx, endpoint.id);
    if (isResumed) await expediteFirst(tx, endpoint.id);
    recordChange(tx, context, { action: 'webhookEndpoints.update', before, after });
    return completeRecord(tx, after, now);
  });
};

function changeStatus(endpoint: WebhookEndpoint, status: 'active' | 'paused', now: Date): void {
  if (!endpointStates.moves(endpoint.status, status)) return;
  if (status === 'active') {
    endpoint.consecutive_failures = 0;
    endpoint.first_failed_at = null;
    endpoint.failing_notified_at = null;
    endpoint.disable_warned_at = null;
    endpoint.resumed_at = now;
    resetFlow(endpoint, now);
  }
  endpoint.status = status;
  endpoint.disabled_reason = null;
}
