import { applyHealth, type Core, isDatabaseUnavailable, type Target } from '@finhook/core';
import type { QueueProducer } from '@finhook/platform';
import type { Signer } from '@finhook/signing';
import type { DeliveryStore } from '../delivery-store.ts';
import { DeliverySlice, firstClaimLimit, type SliceDeps, type SliceReport } from '../slice/delivery-slice.ts';

export interface DeliverEndpointDeps extends SliceDeps {
  readonly store: DeliveryStore;
  readonly core: Core;
  readonly producer: Pick<QueueProducer, 'wake'>;
  readonly signerOf: (secret: string) => Signer;
}

/** Delivers a bounded slice of what is due to one endpoint. */
export type DeliverEndpoint = (endpointId: string, signal: AbortSignal) => Promise<void>;

const successEveryMs = 60_000;
/** Retries that are further away are left to the reconciler, which finds them within two seconds. */
const maxAlarmMs = 60 * 60 * 1000;

/**
 * The job `endpoint.deliver`: load the target, claim, prepare, send, classify, record, health; then it wakes itself
 * when more is due. Ends quietly when the database is away, because the reconciler looks again.
 */
export function createDeliverEndpoint(deps: DeliverEndpointDeps): DeliverEndpoint {
  const { store, monotonicNow, signerOf, logger } = deps;
  return async (endpointId, signal) => {
    try {
      const claimedAt = monotonicNow();
      const [target, first] = await Promise.all([
        store.loadTarget(endpointId),
        store.claim({ endpointId, limit: firstClaimLimit }),
      ]);
      if (target === undefined) return await store.release(first);
      if (first.length === 0) return;
      const report = await new DeliverySlice(deps, target, signerOf(target.secret())).run(first, claimedAt, signal);
      await conclude(deps, target, report);
      if (report.fault) throw report.fault;
    } catch (err) {
      if (!isDatabaseUnavailable(err)) throw err;
      logger.debug({ err, endpoint_id: endpointId }, 'the database is away: deliveries wait');
    }
  };
}

async function conclude(deps: DeliverEndpointDeps, target: Target, report: SliceReport): Promise<void> {
  await recordHealth(deps, target, report);
  const { endpointId } = target;
  // A wake-up that the queue refuses is made up for by the reconciler.
  if (report.more) await deps.producer.wake([endpointId]).catch(() => undefined);
  if (!report.putOff) return;
  const { dueNow, nextInMs } = await deps.store.outlook(endpointId);
  if (dueNow && !report.more) await deps.producer.wake([endpointId]).catch(() => undefined);
  if (nextInMs === null || nextInMs > maxAlarmMs) return;
  await deps.producer.wake([endpointId], { delayMs: Math.max(1, nextInMs) }).catch(() => undefined);
}

async function recordHealth({ core, store }: DeliverEndpointDeps, target: Target, report: SliceReport): Promise<void> {
  const { outcomes, lastFailure } = report;
  const latest = outcomes.at(-1);
  if (latest === undefined) return;
  if (target.failing || lastFailure !== undefined) {
    await applyHealth(core, target.endpointId, outcomes, lastFailure);
    return;
  }
  const { lastSuccessAt } = target;
  if (lastSuccessAt !== null && latest.at.getTime() - lastSuccessAt.getTime() < successEveryMs) return;
  await store.noteSuccess(target.endpointId, latest.at);
}
