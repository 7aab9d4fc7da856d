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
import type { Claims } from './claims.ts';
import { type JudgedAttempt, judgeAttempt } from './judge-attempt.ts';
import { type Slots, takeWhenFree } from './slots.ts';
import type { LoadedTarget } from './targets.ts';

export interface AttemptDeps {
  readonly claims: Pick<Claims, 'loadBody'>;
  /** Bytes of large bodies that are being sent. */
  readonly bodies: Slots;
  readonly transport: Pick<Transport, 'send'>;
  /** Sees the attempts: log, metrics, traces. */
  readonly watch: AttemptWatch;
  readonly clock: Clock;
  readonly retries: RetryTiming;
  readonly leaseMs: number;
}

/** An attempt that was made, and what it means for the endpoint. */
export interface Attempted extends JudgedAttempt {
  readonly durationMs: number;
  readonly forEndpoint: AttemptOutcome;
}

/** The conditions of an endpoint for an attempt. */
export interface AttemptRules {
  /** Called when it has a connection. Returns its endpoint as it is now; undefined if the attempt may not begin. */
  readonly targetNow: () => LoadedTarget | undefined;
  /** Returns true if a failure that deserves it is repeated at once. */
  readonly mayRepeat: () => boolean;
  /** Ends the waits for a connection and for room when the endpoint closes. */
  readonly waits: Waits;
}

/**
 * Sends a delivery once. A failure that is repeated has the disposition `again`. Rejects when it is this process's fault
 * (the database, out of sockets, closing), and with NotBegunError when it may not begin, or when no connection or no room
 * for its body became free in half a lease: the endpoint isn't blamed, and the attempt wasn't made.
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
  // Not for a test, which is made once, and not while the endpoint is known to be away.
  const again =
    claim.trigger !== 'test' && target.flow?.open !== true && deservesImmediateRetry(result) && rules.mayRepeat();
  const timing = target.retrySchedule === undefined ? retries : { ...retries, schedule: target.retrySchedule };
  const judged = judgeAttempt(claim, result, { at, now }, timing, again ? { leaseMs } : undefined);
  watched.settled(judged, result);
  const { outcome } = judged;
  const requested = claim.trigger !== 'automatic';
  const flow = { ...flowOutcomeOf(result, outcome, at, now), probe: claim.probe === true, requested };
  // A test looks whether a handler works: its 410 is a failure, and doesn't end the subscription.
  const counted = claim.trigger === 'test' && outcome.kind === 'gone' ? ({ kind: 'exhausted' } as const) : outcome;
  return { ...judged, durationMs: result.durationMs, forEndpoint: { ...attemptOutcomeOf(counted, at), flow } };
}

/**
 * Waits for a connection, then for room for a large body, which is loaded then, and makes and signs the request: the
 * attempt begins at `at`. A body without a connection would take the room of those that can be sent.
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
    if (!(await takeWhenFree(deps.bodies, wanted, limits)))
      throw new NotBegunError('other large bodies take all the room there is');
    heldBytes = bodyBytes;
    return deps.claims.loadBody({ eventId, accountId });
  };
  const asked = deps.clock.now();
  const { url } = target.addressAt(asked);
  let at = asked;
  let watched: ReturnType<AttemptWatch['begin']> | undefined;
  const begin = () => (watched = deps.watch.begin(claim));
  const make = (body: Buffer): PreparedRequest => {
    const delivery = { id, eventId, eventType, sequence, attempt: number, body, test: trigger === 'test' };
    const now = targetNow();
    if (now === undefined) throw new NotBegunError('its endpoint or its lease has changed');
    at = deps.clock.now();
    const { headers } = begin();
    const request = prepareRequest(delivery, now.addressAt(at), at);
    return headers === undefined ? request : { ...request, headers: { ...request.headers, ...headers } };
  };
  const prepare = () => (claim.body === null ? load().then(make) : make(claim.body));
  const options = { timeoutMs: target.timeoutMs, owner: { endpointId, accountId }, ...limits };
  try {
    const result = await deps.transport.send({ url, prepare }, options);
    return { at, watched: watched ?? begin(), result };
  } catch (error) {
    watched?.abandoned();
    throw error;
  } finally {
    if (heldBytes > 0) deps.bodies.give(accountId, heldBytes);
  }
}
