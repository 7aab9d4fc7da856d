import { isDeepStrictEqual } from 'node:util';
import type { FieldError, operations } from '@finhook/contracts';
import { audit } from '../../kernel/audit.ts';
import type { Context } from '../../kernel/context.ts';
import { invalidFields } from '../../kernel/domain-error.ts';
import { defineStates } from '../../kernel/state-machine.ts';
import { transaction } from '../../kernel/transaction.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { applyOptions } from './apply-options.ts';
import { checkEndpointUrl, companyFault } from './create-endpoint.ts';
import { completeRecord, flowDiffers, resetFlow } from './endpoint-flow.ts';
import { movedHeaderFaults } from './endpoint-headers.ts';
import { eventFilterFaults } from './event-filter.ts';
import { expediteFirst } from './expedite-first.ts';
import { findEndpoint } from './read-endpoints.ts';
import type { WebhookEndpoint } from './webhook-endpoint.entity.ts';

type Op = typeof operations.webhookEndpoints.update;

/** What its owner switches, and what its failures bring about; a disabled endpoint has to be switched on again. */
const endpointStates = defineStates<WebhookEndpoint['status']>('webhook endpoint', {
  active: ['paused', 'disabled'],
  paused: ['active', 'disabled'],
  disabled: ['active'],
});

/**
 * Changes an endpoint. Deliveries to a paused endpoint wait; `active` resumes them, also after the service disabled
 * the endpoint, and begins a new failure streak. Headers do not follow it to another url.
 */
export async function updateEndpoint(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  const faults: FieldError[] = [...eventFilterFaults(input.events ?? [])];
  const checked = input.url === undefined ? undefined : await checkEndpointUrl(context, input.url);
  if (checked && 'fault' in checked) faults.unshift(checked.fault);
  invalidFields(faults);
  return transaction(context, { lock: input.endpoint_id }, async (tx) => {
    const endpoint = await findEndpoint(context, input.endpoint_id, tx.em);
    const now = context.clock.now();
    const before = endpoint.toRecord(now);
    const headers = endpoint.headers;
    if (checked && 'url' in checked) invalidFields(movedHeaderFaults(endpoint, checked.url, input.headers));
    if (checked && 'url' in checked && checked.url !== endpoint.url) {
      endpoint.url = checked.url;
      resetFlow(endpoint, now);
    }
    if (input.events !== undefined) endpoint.events = [...new Set(input.events ?? [])];
    if (input.description !== undefined) endpoint.description = input.description;
    if (input.include_internal !== undefined) endpoint.includeInternal = input.include_internal ?? false;
    if (input.company_id !== undefined) {
      invalidFields([await companyFault(tx, context, input.company_id)]);
      endpoint.companyId = input.company_id;
    }
    applyOptions(context, endpoint, input);
    if (input.status !== undefined) changeStatus(endpoint, input.status, now);
    // Two values of a header may look alike when they are masked.
    const isSame = isDeepStrictEqual(endpoint.toRecord(now), before) && endpoint.headers === headers;
    if (isSame) return completeRecord(tx, before, now);
    endpoint.updatedAt = now;
    await tx.em.flush();
    const record = endpoint.toRecord(now);
    const mayGoOn = before.status !== 'active' || flowDiffers(before, record);
    if (mayGoOn && record.status === 'active') tx.woken.add(endpoint.id);
    if (before.status !== 'active' && record.status === 'active') await expediteFirst(tx, endpoint.id);
    await audit(tx, context, {
      action: 'webhookEndpoints.update',
      companyId: endpoint.companyId ?? null,
      resourceId: endpoint.id,
      before,
      after: record,
    });
    return completeRecord(tx, record, now);
  });
}

function changeStatus(endpoint: WebhookEndpoint, status: 'active' | 'paused', now: Date): void {
  if (!endpointStates.moves(endpoint.status, status)) return;
  if (status === 'active') {
    endpoint.consecutiveFailures = 0;
    endpoint.firstFailedAt = null;
    endpoint.failingNotifiedAt = null;
    endpoint.disableWarnedAt = null;
    endpoint.resumedAt = now;
    resetFlow(endpoint, now);
  }
  endpoint.status = status;
  endpoint.disabledReason = null;
}
