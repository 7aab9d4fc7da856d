import { setTimeout as sleep } from 'node:timers/promises';
import { type JobPayload, jobs } from '@finhook/contracts';
import type { BackendHealth } from './backend-health.ts';
import { type JobQueue, JobsRejectedError, type NewJob, withDeadline } from './driver.ts';

export interface EndpointRef {
  readonly id: string;
  readonly accountId: string;
}

export interface DeliverWork {
  readonly handOffs?: readonly string[];
  readonly endpoints?: readonly EndpointRef[];
  /** Called when no worker will receive the hand-offs; not if the backend may have received them. */
  readonly onLost?: () => void;
}

export interface DeliverBuffer {
  /** Resolves when the backend has stored it. */
  add(work: DeliverWork): Promise<void>;
  wakeLater(endpoint: EndpointRef, delayMs: number): Promise<void>;
  /** False while so many jobs wait that hand-offs would outlast their leases. */
  readonly isAccepting: boolean;
}

/** With so many waiting jobs, workers are behind. */
const maxWaiting = 500;
const checkEveryMs = 200;
const maxHandOffsPerJob = 64;
const maxEndpointsPerJob = 500;

export interface DeliverBufferOptions {
  readonly health: Pick<BackendHealth, 'isUp' | 'isSlow' | 'onOutage'>;
  /** Deadline of one job. */
  readonly timeoutMs: number;
}

/**
 * Batches the work of this process into jobs: one is in flight, the next collects what is added meanwhile. While
 * workers are behind or the backend is slow, hand-offs are dropped, because their leases would end first, and endpoints
 * are collected into few jobs. A failed job is dropped; the reconciler finds due deliveries.
 */
export function createDeliverBuffer(queue: JobQueue, { health, timeoutMs }: DeliverBufferOptions): DeliverBuffer {
  let batch = createBatch();
  let next: Promise<void> | undefined;
  /** Also resolves when the backend becomes unavailable, because it may never respond. */
  let inFlight = Promise.withResolvers<void>();
  inFlight.resolve();
  health.onOutage(() => {
    batch.lose();
    if (!health.isUp()) inFlight.resolve();
  });
  let isAccepting = true;
  let checkedAt = Number.NEGATIVE_INFINITY;

  const check = async () => {
    const waitMs = checkEveryMs - (performance.now() - checkedAt);
    if (waitMs > 0 && isAccepting) return;
    if (waitMs > 0) await sleep(waitMs);
    checkedAt = performance.now();
    // A failed count is ignored.
    const counts = await withDeadline(queue.counts(), timeoutMs, 'Counting jobs').catch(() => undefined);
    if (counts !== undefined) isAccepting = counts.waiting <= maxWaiting;
  };
  const flush = async () => {
    await inFlight.promise;
    if (!isAccepting && health.isUp()) await check();
    const work = batch;
    batch = createBatch();
    next = undefined;
    if (!isAccepting || !health.isUp()) work.lose();
    if (!health.isUp()) throw new Error('The queue is away.');
    const jobsToAdd = toJobs(work.handOffs, [...work.endpoints.values()]);
    if (jobsToAdd.length === 0) return;
    inFlight = Promise.withResolvers();
    const { resolve } = inFlight;
    try {
      await withDeadline(queue.addBulk(jobsToAdd), timeoutMs, 'Handing deliveries over');
      await check();
    } catch (error) {
      if (error instanceof JobsRejectedError) work.lose();
      throw error;
    } finally {
      resolve();
    }
  };

  return {
    get isAccepting() {
      return isAccepting;
    },
    add: (work) => {
      batch.add(work);
      if (health.isSlow()) batch.lose();
      next ??= flush();
      return next;
    },
    wakeLater: (endpoint, delayMs) => queue.addBulk([toWakeUp(endpoint, delayMs)]),
  };
}

/** `lose` drops the hand-offs and calls each `onLost`. */
function createBatch() {
  const handOffs: string[] = [];
  const endpoints = new Map<string, EndpointRef>();
  const losses: (() => void)[] = [];
  return {
    handOffs,
    endpoints,
    add: (work: DeliverWork) => {
      handOffs.push(...(work.handOffs ?? []));
      if (work.onLost !== undefined) losses.push(work.onLost);
      for (const endpoint of work.endpoints ?? []) endpoints.set(endpoint.id, endpoint);
    },
    lose: () => {
      handOffs.length = 0;
      for (const onLost of losses.splice(0)) onLost();
    },
  };
}

/** Most work fits one job. */
function toJobs(handOffs: readonly string[], endpoints: readonly EndpointRef[]): NewJob[] {
  const [sealed, refs] = [chunks(handOffs, maxHandOffsPerJob), chunks(endpoints.map(toRef), maxEndpointsPerJob)];
  const count = Math.max(sealed.length, refs.length);
  return Array.from({ length: count }, (_, i) => {
    return { name: 'deliver', data: toPayload({ hand_offs: sealed[i] ?? [], endpoints: refs[i] ?? [] }), opts: {} };
  });
}

function toWakeUp(endpoint: EndpointRef, delayMs: number): NewJob {
  const deduplication = { id: `wake-${endpoint.id}`, replace: true, keepLastIfActive: true };
  const opts = { delay: Math.max(1, Math.ceil(delayMs)), deduplication };
  return { name: 'wake-up', data: toPayload({ hand_offs: [], endpoints: [toRef(endpoint)] }), opts };
}

function toPayload(payload: JobPayload<'deliver'>): JobPayload<'deliver'> {
  return jobs.deliver.payload.parse(payload);
}

function toRef({ id, accountId }: EndpointRef) {
  return { id, account_id: accountId };
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}
