import { text } from '@finhook/contracts';
import { z } from 'zod';
import { systemStatement } from '../../db/queryable.ts';
import { toFieldErrors } from '../../input/field-errors.ts';
import { audit } from '../../outbox/audit.ts';
import { transaction } from '../../outbox/transaction.ts';
import { type Context, type Core, operatorActor, systemContext } from '../../verbs/context.ts';
import { DomainError, rejectFields } from '../../verbs/domain-error.ts';
import { rejectInactive } from '../deliveries/retry.ts';
import { findFailed, recoverEndpoint } from '../replays/begin.ts';
import type { Matches } from '../replays/match-events.ts';
import { expediteFirst } from '../webhooks/endpoint-flow.ts';
import { findEndpoint } from '../webhooks/read.ts';
import { updateEndpoint } from '../webhooks/update.ts';
import type { WebhookEndpoint } from '../webhooks/webhook-endpoint.entity.ts';

export interface OperatorRequest {
  endpointId: string;
  /** As sent; 1 to 500 characters are valid. */
  reason: unknown;
  request: Context['request'];
}

/** What an operator did. It contains nothing of the URL, the headers and the secrets. */
export interface OperatorOutcome {
  account_id: string;
  endpoint_id: string;
  /** False if the endpoint was already so: nothing was stored. */
  changed: boolean;
  status: WebhookEndpoint['status'];
  /** The delivery that a probe sends, the replay, and the number of events that it sends. */
  delivery_id?: string;
  replay_id?: string;
  matched?: number;
}

type Act = (context: Context, endpoint: WebhookEndpoint) => Promise<Partial<OperatorOutcome>>;

const actions = {
  /** Like the owner, who gets no event for it. */
  async pause(context, { id, status }) {
    const after = await updateEndpoint(context, { endpoint_id: id, status: 'paused' });
    return { status: after.status, changed: status !== 'paused' };
  },
  /** Sends the next delivery of a failing endpoint now. A success closes its circuit breaker and ends its Retry-After. */
  probe: (context, { id }) =>
    transaction(context, { records: 'audit', lock: id }, async (tx) => {
      const endpoint = await findEndpoint(context, id, tx.em);
      rejectInactive(endpoint);
      rejectHealthy(endpoint, context.clock.now());
      const delivery_id = await expediteFirst(tx, id);
      if (delivery_id === undefined) throw nothingWaits();
      tx.handOffs.poke({ id, accountId: context.accountId });
      const companyId = endpoint.company_id ?? null;
      audit(tx, context, { action: 'webhookEndpoints.probe', companyId, resourceId: id, after: { delivery_id } });
      return { delivery_id };
    }),
  async 'replay-failed'(context, endpoint) {
    const { id, matched } = await recoverEndpoint(context, allFailed(endpoint));
    return { replay_id: id, matched };
  },
} satisfies Record<string, Act>;

export type OperatorAction = keyof typeof actions;

export interface OperatedEndpoint {
  accountId: string;
  accountName: string;
  description: string | null;
}

const find = systemStatement(
  'find_operated_endpoint',
  `SELECT e.account_id AS "accountId", a.name AS "accountName", e.description
   FROM webhook_endpoint e JOIN account a ON a.id = e.account_id WHERE e.id = $1 AND e.deleted_at IS NULL`,
);

/** Finds an endpoint of any account. Throws `not_found`. */
export async function findOperatedEndpoint(core: Core, endpointId: string): Promise<OperatedEndpoint> {
  const [found] = await core.database.query<OperatedEndpoint>(find, [endpointId]);
  if (found === undefined) throw new DomainError('not_found', { detail: 'No account has an endpoint with this id.' });
  return found;
}

/** Since the endpoint exists: a delivery may have failed long before the endpoint began to fail this time. */
function allFailed({ id, created_at }: WebhookEndpoint) {
  return { endpoint_id: id, since: created_at.toISOString() };
}

/** What the action `replay-failed` would send now; undefined if the count takes longer than `ms`. */
export async function findFailedEvents(core: Core, endpointId: string, ms: number): Promise<Matches | undefined> {
  const { accountId } = await findOperatedEndpoint(core, endpointId);
  const context = systemContext(core, accountId, 'operator');
  return findFailed(context, allFailed(await findEndpoint(context, endpointId)), ms);
}

const reasoned = z.object({ reason: text(1, 500) });

/**
 * Acts on an endpoint of any account. The audit log of the account has the operator and the reason. Throws `not_found`,
 * `validation_failed`, and `invalid_state_transition` for a state in which the action is impossible.
 */
export async function actOnEndpoint(
  core: Core,
  action: OperatorAction,
  { endpointId, reason: sent, request }: OperatorRequest,
): Promise<OperatorOutcome> {
  const { accountId } = await findOperatedEndpoint(core, endpointId);
  const trimmed = { reason: typeof sent === 'string' ? sent.trim() : sent };
  const { data, error } = reasoned.safeParse(trimmed);
  rejectFields(toFieldErrors(error?.issues ?? [], trimmed, () => false));
  const context: Context = { ...systemContext(core, accountId, 'operator'), actor: operatorActor, request, ...data };
  const endpoint = await findEndpoint(context, endpointId);
  const before = { account_id: accountId, endpoint_id: endpointId, status: endpoint.status, changed: true };
  return { ...before, ...(await actions[action](context, endpoint)) };
}

function rejectHealthy({ breaker, consecutive_failures, hold_until }: WebhookEndpoint, now: Date): void {
  if (breaker === 'open' || consecutive_failures > 0 || (hold_until != null && hold_until > now)) return;
  throw new DomainError('invalid_state_transition', {
    detail: 'The endpoint is not failing: its last attempt succeeded, or there was none. There is nothing to probe.',
    extra: { current_status: 'active', allowed: [] },
  });
}

function nothingWaits(): DomainError {
  return new DomainError('invalid_state_transition', {
    detail: 'No delivery waits for the endpoint, or the next one is being sent already. Look at its deliveries.',
    extra: { current_status: 'active', allowed: [] },
  });
}
