import type { AttemptOutcome, FlowOutcome } from '@finhook/delivery';
import { createApiKey } from '../src/modules/accounts/api-keys/create.ts';
import { applyHealth, type LastFailure } from '../src/modules/deliveries/apply-health.ts';
import type { AttemptRecord, Disposition } from '../src/modules/deliveries/attempt.ts';
import {
  type ClaimedDelivery,
  type ClaimRequest,
  claimDeliveries,
  type EndpointClaims,
} from '../src/modules/deliveries/claim-deliveries.ts';
import { claimGated } from '../src/modules/deliveries/claim-gated.ts';
import { findDueEndpoints } from '../src/modules/deliveries/find-due-endpoints.ts';
import { recordAttempts } from '../src/modules/deliveries/record-attempts.ts';
import { createEndpoint } from '../src/modules/webhooks/create.ts';
import type { Context, Core } from '../src/verbs/context.ts';

/** A claim with its body, as for all but large ones. */
export type WholeClaim = ClaimedDelivery & { body: Buffer };

function isWhole(claim: ClaimedDelivery): claim is WholeClaim {
  return claim.body !== null;
}

const oneMinute = 60_000;

type EndpointOptions = Omit<Parameters<typeof createEndpoint>[1], 'url'>;

/** Creates an endpoint without a listener, and returns its id. */
export async function newEndpoint(context: Context, options: EndpointOptions = {}): Promise<string> {
  return (await createEndpoint(context, { url: 'http://127.0.0.1:4010/hook', ...options })).id;
}

/** Emits `count` events of type `api_key.created`. */
export async function emitMany(context: Context, count: number): Promise<void> {
  for (let n = 0; n < count; n++) await createApiKey(context, { name: `k${n}`, scope: 'read' });
}

async function toRequest(core: Core, endpointId: string, limit: number): Promise<ClaimRequest> {
  const sql = 'SELECT account_id FROM webhook_endpoint WHERE id = $1';
  const [row] = await core.database.query<{ account_id: string }>(sql, [endpointId]);
  return { accountId: row?.account_id ?? '', endpointId, limit };
}

/** Claims due deliveries of endpoints, at most `limit` each, for a minute. */
export async function claimEach(core: Core, endpointIds: readonly string[], limit: number): Promise<ClaimedDelivery[]> {
  const requests = await Promise.all(endpointIds.map((id) => toRequest(core, id, limit)));
  return (await claimDeliveries(core, requests, oneMinute)).flatMap(({ claims }) => claims);
}

/** Claims what the limits of an endpoint allow, for a minute. */
export async function claimThrough(core: Core, endpointId: string, limit = 100): Promise<EndpointClaims> {
  const times = { leaseMs: oneMinute, probeMs: oneMinute };
  const [found] = await claimGated(core, [await toRequest(core, endpointId, limit)], times);
  if (found === undefined) throw new Error('The claim has no result.');
  return found;
}

/** The ids of the endpoints that the reconciler finds. */
export async function findDueIds(
  core: Core,
  ...options: ParametersAfterFirst<typeof findDueEndpoints>
): Promise<string[]> {
  return (await findDueEndpoints(core, ...options)).map(({ id }) => id);
}

type ParametersAfterFirst<F> = F extends (first: never, ...others: infer P) => unknown ? P : never;

/** Claims all due deliveries of an endpoint, for a minute. */
export async function claimAll(core: Core, endpointId: string, limit = 100): Promise<WholeClaim[]> {
  const claims = await claimEach(core, [endpointId], limit);
  const whole = claims.filter(isWhole);
  if (whole.length < claims.length) throw new Error('A body is too large to be claimed.');
  return whole;
}

/** Claims the only due delivery of the endpoint. */
export async function claimOne(core: Core, endpointId: string): Promise<WholeClaim> {
  const [claim, ...others] = await claimAll(core, endpointId);
  if (!claim || others.length > 0) throw new Error(`${others.length + (claim ? 1 : 0)} deliveries are due, not one.`);
  return claim;
}

/** An attempt as a worker records it: 200 for a success, else 500. */
export function attemptOf(claim: ClaimedDelivery, disposition: Disposition, at = new Date()): AttemptRecord {
  const ok = disposition.kind === 'succeeded';
  return {
    claim,
    disposition,
    at,
    durationMs: 12,
    statusCode: ok ? 200 : 500,
    error: ok ? null : 'http_500',
    errorMessage: ok ? null : 'The receiver answered 500.',
    responseSnippet: ok ? 'ok' : 'oops',
  };
}

/** Records an attempt of each claim with one disposition; returns the deliveries whose lease still held. */
export async function settle(
  core: Core,
  claims: readonly ClaimedDelivery[],
  disposition: Disposition = { kind: 'succeeded' },
): Promise<Set<string>> {
  return recordAttempts(
    core,
    claims.map((claim) => attemptOf(claim, disposition)),
  );
}

const lastFailure: LastFailure = { statusCode: null, message: 'It could not be reached.', eventId: 'evt_x' };

type Flow = Omit<FlowOutcome, 'at'>;

/** Applies the results of current attempts to an endpoint's health; returns whether it is gated. */
export async function applyFlows(context: Context, endpointId: string, ...flows: Flow[]): Promise<boolean> {
  const at = context.clock.now();
  const outcomes = flows.map(
    (flow): AttemptOutcome => ({ kind: flow.kind === 'success' ? 'success' : 'failure', at, flow: { at, ...flow } }),
  );
  await applyHealth(context, { accountId: context.accountId, endpointId, outcomes, lastFailure });
  const sql = 'SELECT gated FROM webhook_endpoint WHERE id = $1';
  const [row] = await context.database.query<{ gated: boolean }>(sql, [endpointId]);
  return row?.gated === true;
}

/** Fails requests until the endpoint's breaker opens. */
export async function openBreaker(context: Context, endpointId: string): Promise<boolean> {
  return applyFlows(context, endpointId, ...Array.from({ length: 5 }, (): Flow => ({ kind: 'unreachable' })));
}

export interface DueRow {
  delivery_id: string;
  due_at: Date;
  next_attempt_at: Date | null;
  attempt_count: number;
  step: number;
  lease_token: string | null;
}

/** A delivery's row in `due`; times as dates, rounded to milliseconds. */
export async function readDue(core: Core, deliveryId: string): Promise<DueRow | undefined> {
  const [row] = await core.database.query<
    Omit<DueRow, 'due_at' | 'next_attempt_at'> & { due_at: string; next_attempt_at: string | null }
  >(
    `SELECT delivery_id, due_at::timestamptz(3), next_attempt_at::timestamptz(3), attempt_count, step, lease_token
     FROM due WHERE delivery_id = $1`,
    [deliveryId],
  );
  if (!row) return undefined;
  const next = row.next_attempt_at === null ? null : new Date(row.next_attempt_at);
  return { ...row, due_at: new Date(row.due_at), next_attempt_at: next };
}

/** Moves a delivery's due time, schedule and lease into the past by `ms`. */
export async function passTime(core: Core, deliveryId: string, ms: number): Promise<void> {
  await core.database.query(
    `UPDATE due SET due_at = due_at - $2::int * interval '1 millisecond',
       next_attempt_at = next_attempt_at - $2::int * interval '1 millisecond',
       lease_until = lease_until - $2::int * interval '1 millisecond' WHERE delivery_id = $1`,
    [deliveryId, ms],
  );
}
