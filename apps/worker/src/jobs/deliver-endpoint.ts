import { applyHealth, type ClaimedDelivery, type Core, isDatabaseUnavailable, type Target } from '@finhook/core';
import { defaultFlowConfig, type FlowConfig } from '@finhook/delivery';
import type { QueueProducer } from '@finhook/queue';
import type { Logger } from '@finhook/runtime';
import type { AccountSlots } from '../account-slots.ts';
import type { DeliveryStore } from '../delivery-store.ts';
import type { SignerCache } from '../signer-cache.ts';
import type { ConnectionShares } from '../slice/connection-shares.ts';
import { DeliverySlice, type FirstClaim, firstClaimLimit } from '../slice/delivery-slice.ts';
import { isSentAlike } from '../slice/is-sent-alike.ts';
import { type LoadedEndpoint, loadEndpoint } from '../slice/load-endpoint.ts';
import type { SliceDeps } from '../slice/slice-deps.ts';
import type { SliceReport } from '../slice/slice-report.ts';

export interface DeliverEndpointDeps extends SliceDeps {
  readonly store: DeliveryStore;
  readonly shares: ConnectionShares;
  readonly places: AccountSlots;
  readonly core: Core;
  readonly producer: Pick<QueueProducer, 'wake'>;
  readonly signers: SignerCache;
  readonly logger: Logger;
}

/** Delivers a bounded slice of what is due to one endpoint. */
export type DeliverEndpoint = (endpointId: string, signal: AbortSignal) => Promise<void>;

const nothing = Promise.resolve<readonly ClaimedDelivery[]>([]);
const successEveryMs = 60_000;
/** Milliseconds to await only responses before the next look at what is due; longer while nothing is. */
const leastPatienceMs = 50;
const mostPatienceMs = 400;
/** Retries that are further away are left to the reconciler, which finds them within two seconds. */
const maxAlarmMs = 60 * 60 * 1000;

/**
 * The job `endpoint.deliver`: load the target, take a slot, claim, prepare, send, classify, record, health; then it
 * wakes itself when more is due. Ends quietly when the database is away, because the reconciler looks again.
 */
export function createDeliverEndpoint(deps: DeliverEndpointDeps): DeliverEndpoint {
  const { logger } = deps;
  return async (endpointId, signal) => {
    try {
      await deliver(deps, endpointId, signal);
    } catch (err) {
      if (!isDatabaseUnavailable(err)) throw err;
      logger.debug({ err, endpoint_id: endpointId }, 'the database is away: deliveries wait');
    }
  };
}

async function deliver(deps: DeliverEndpointDeps, endpointId: string, signal: AbortSignal): Promise<void> {
  const { store, places: slots, monotonicNow } = deps;
  const request = { endpointId, limit: firstClaimLimit };
  const startedAt = monotonicNow();
  // To claim at once saves a round trip. Where the endpoint may have to wait, the claim would be given back.
  const isCrowded = slots.isCrowded;
  const claiming = isCrowded ? nothing : store.claim(request);
  const [endpoint, early] = await Promise.all([loadEndpoint(deps, endpointId, claiming), claiming]);
  if (endpoint === undefined) return await store.release(early);
  const { target } = endpoint;
  using slot = slots.acquire(target.accountId, endpointId);
  if (slot === undefined) return await store.release(early);
  const claimedAt = isCrowded ? monotonicNow() : startedAt;
  const open = isCrowded ? await store.claim(request) : early;
  const isGated = target.flow?.gated === true && open.length === 0;
  const { claims, full } = isGated ? await store.claimGated(request) : { claims: open, full: false };
  if (claims.length === 0) return isGated ? await setAlarm(deps, endpointId) : undefined;
  await send(deps, endpoint, { claims, full, claimedAt }, signal);
}

/**
 * Sends until nothing is due. While a response takes long, what comes due is sent beside it, as long as the endpoint is as
 * it was and nobody waits for the slot: its wake-up is handed out when this job ends, and not before.
 */
async function send(
  deps: DeliverEndpointDeps,
  { target, address }: LoadedEndpoint,
  first: FirstClaim,
  signal: AbortSignal,
): Promise<void> {
  using share = deps.shares.join(target.url);
  const slice = new DeliverySlice(deps, target, address, share);
  let patienceMs = leastPatienceMs;
  let latest = target;
  let report = await slice.run(first, signal, isHeldByResponses(target) ? undefined : patienceMs);
  let { putOff } = report;
  let failure: Error | undefined;
  while (report.open) {
    patienceMs = report.outcomes.length > 0 ? leastPatienceMs : Math.min(mostPatienceMs, 2 * patienceMs);
    const now = await lookAgain(deps, latest, report).catch((error: unknown) => {
      // Requests in flight are awaited nevertheless.
      failure ??= error instanceof Error ? error : new Error(String(error));
      return undefined;
    });
    report = now === undefined ? await slice.finish() : await slice.goOn(patienceMs);
    latest = now ?? latest;
    putOff ||= report.putOff;
  }
  await conclude(deps, latest, { ...report, putOff });
  failure ??= report.fault;
  if (failure) throw failure;
}

/** True if nothing more is sent to it before its next response. */
function isHeldByResponses({ flow }: Target): boolean {
  return flow?.ordered === true || flow?.spared === true;
}

/** Notes what came about so far; returns the endpoint as it is now, if it may go on being sent to as before. */
async function lookAgain(deps: DeliverEndpointDeps, target: Target, report: SliceReport): Promise<Target | undefined> {
  await recordHealth(deps, target, report);
  if (!report.mayGoOn || deps.places.isWanted) return undefined;
  const now = await deps.store.loadTarget(target.endpointId);
  return now !== undefined && isSentAlike(now, target) && !isHeldByResponses(now) ? now : undefined;
}

async function conclude(deps: DeliverEndpointDeps, target: Target, report: SliceReport): Promise<void> {
  const { endpointId } = target;
  if (await recordHealth(deps, target, report)) return setAlarm(deps, endpointId);
  // Deliveries that waited at a gate that just opened are due. The reconciler makes up for a wake-up that the queue rejects.
  if (report.more || target.flow?.gated === true) await deps.producer.wake([endpointId]).catch(() => undefined);
  if (!report.putOff) return;
  const { dueNow, nextInMs } = await deps.store.outlook(endpointId);
  if (dueNow && !report.more) await deps.producer.wake([endpointId]).catch(() => undefined);
  if (nextInMs === null || nextInMs > maxAlarmMs) return;
  await deps.producer.wake([endpointId], { delayMs: Math.max(1, nextInMs) }).catch(() => undefined);
}

/** Has an endpoint whose sends are bounded looked at again when something may be claimed for it. */
async function setAlarm({ store, producer }: DeliverEndpointDeps, endpointId: string): Promise<void> {
  const inMs = await store.gatedOutlook(endpointId);
  if (inMs === null || inMs > maxAlarmMs) return;
  await producer.wake([endpointId], { delayMs: Math.max(1, inMs) }).catch(() => undefined);
}

/** Returns whether the endpoint's sends are bounded now. */
async function recordHealth(deps: DeliverEndpointDeps, target: Target, report: SliceReport): Promise<boolean> {
  const { core, store, timing } = deps;
  const isGated = target.flow?.gated === true;
  const { outcomes, lastFailure } = report;
  const latest = outcomes.at(-1);
  if (latest === undefined) return isGated;
  if (target.failing || target.flow?.spared === true || lastFailure !== undefined) {
    const flow = { config: scaledFlow(timing.scale), perSecond: report.perSecond };
    return applyHealth(core, { endpointId: target.endpointId, outcomes, lastFailure, flow, seen: target });
  }
  const { lastSuccessAt } = target;
  if (lastSuccessAt !== null && latest.at.getTime() - lastSuccessAt.getTime() < successEveryMs) return isGated;
  await store.noteSuccess(target.endpointId, latest.at);
  return isGated;
}

/** The waits between probes, scaled as those between attempts are. */
function scaledFlow(scale: number): FlowConfig {
  const { firstProbeMs, maxProbeMs } = defaultFlowConfig;
  return { ...defaultFlowConfig, firstProbeMs: firstProbeMs * scale, maxProbeMs: maxProbeMs * scale };
}
