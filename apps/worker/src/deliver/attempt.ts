import type { ClaimedDelivery, Clock } from '@finhook/core';
import {
  type AttemptOutcome,
  attemptOutcomeOf,
  deservesImmediateRetry,
  flowOutcomeOf,
  NotBegunError,
  type PreparedRequest,
  prepareRequest,
  type RetryTiming,
  type Transport,
  type Waits,
} from '@finhook/delivery';
import type { AttemptWatch } from '../telemetry/attempt-watch.ts';
import { type JudgedAttempt, judgeAttempt } from './judge-attempt.ts';
import { acquire, type Slots } from './slots.ts';
import type { Store } from './store.ts';
import type { LoadedTarget } from './targets.ts';

export interface AttemptDeps {
  readonly store: Pick<Store, 'loadBody'>;
  readonly bodies: Slots;
  readonly transport: Pick<Transport, 'send'>;
  readonly watch: AttemptWatch;
  readonly clock: Clock;
  readonly retries: RetryTiming;
  readonly leaseMs: number;
}

export interface Attempted extends JudgedAttempt {
  readonly durationMs: number;
  readonly forEndpoint: AttemptOutcome;
}

export interface AttemptRules {
  /** Called once connected. Returns the current target; undefined if the attempt may not begin. */
  readonly targetNow: () => LoadedTarget | undefined;
  readonly mayRetryAtOnce: () => boolean;
  /** Ends the waits for a connection and for memory when the endpoint closes. */
  readonly waits: Waits;
}

/**
 * Sends a delivery once. A failure that is retried immediately has the disposition `again`.
 *
 * @throws NotBegunError when `targetNow` returns undefined, or no connection or memory became free within half a lease.
 * Errors of this process (database, sockets, closing) reject too. None of them counts as a failure of the endpoint.
 */
export async function attempt(
  deps: AttemptDeps,
  target: LoadedTarget,
  claim: ClaimedDelivery,
  rules: AttemptRules,
): Promise<Attempted> {
  const { clock, retries, leaseMs } = deps;
  const { at, watched, result } = await send(deps, target, claim, rules);
  const now = clock.now();
  // A test is sent once, and an endpoint that is known to be down gets no immediate retry.
  const again =
    claim.trigger !== 'test' && !target.breakerOpen && deservesImmediateRetry(result) && rules.mayRetryAtOnce();
  const timing = target.retrySchedule === null ? retries : { ...retries, schedule: target.retrySchedule };
  const judged = judgeAttempt(claim, result, { at, now }, timing, again ? { leaseMs } : undefined);
  watched.ended(judged, result);
  const { outcome } = judged;
  const requested = claim.trigger !== 'automatic';
  const flow = { ...flowOutcomeOf(result, outcome, at, now), probe: claim.probe === true, requested };
  // A 410 to a test is a failure and doesn't disable the endpoint.
  const counted =
    claim.trigger === 'test' && outcome.kind === 'gone' ? ({ kind: 'out_of_attempts' } as const) : outcome;
  return { ...judged, durationMs: result.durationMs, forEndpoint: { ...attemptOutcomeOf(counted, at), flow } };
}

/**
 * Waits for a connection, then for memory for a large body, loads it, signs and sends. Bodies without a connection take
 * no memory.
 */
async function send(
  deps: AttemptDeps,
  target: LoadedTarget,
  claim: ClaimedDelivery,
  { targetNow, waits }: AttemptRules,
) {
  const { deliveryId: id, eventId, eventType, sequence, attempt: number, trigger, bodyBytes } = claim;
  const { endpointId, accountId } = target;
  const limits = { maxWaitMs: deps.leaseMs / 2, waits };
  let heldBytes = 0;
  const load = async (): Promise<Buffer> => {
    const wanted = { accountId, units: bodyBytes, id: `${id} ${claim.leaseToken}` };
    if (!(await acquire(deps.bodies, wanted, limits)))
      throw new NotBegunError('no memory for the body: other large bodies are in flight');
    heldBytes = bodyBytes;
    return deps.store.loadBody({ eventId, accountId });
  };
  const asked = deps.clock.now();
  const { url } = target.addressAt(asked);
  let at = asked;
  let watched: ReturnType<AttemptWatch['begin']> | undefined;
  const begin = () => (watched = deps.watch.begin(claim));
  const make = (body: Buffer): PreparedRequest => {
    const delivery = { id, eventId, eventType, sequence, attempt: number, body, test: trigger === 'test' };
    const now = targetNow();
    if (now === undefined) throw new NotBegunError('the endpoint or the lease has changed');
    at = deps.clock.now();
    const { headers } = begin();
    const request = prepareRequest(delivery, now.addressAt(at), at);
    return headers === undefined ? request : { ...request, headers: { ...request.headers, ...headers } };
  };
  const prepare = () => (claim.body === null ? load().then(make) : make(claim.body));
  const options = { timeoutMs: target.timeoutMs ?? undefined, owner: { endpointId, accountId }, ...limits };
  try {
    const result = await deps.transport.send({ url, prepare }, options);
    return { at, watched: watched ?? begin(), result };
  } catch (error) {
    watched?.abandoned();
    throw error;
  } finally {
    if (heldBytes > 0) deps.bodies.release(accountId, heldBytes);
  }
}
