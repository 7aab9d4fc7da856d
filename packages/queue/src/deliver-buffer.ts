import { setTimeout as sleep } from 'node:timers/promises';
import { type JobPayload, jobs } from '@finhook/contracts';
import type { JobQueue, NewJob } from './driver.ts';

export interface EndpointRef {
  readonly id: string;
  readonly accountId: string;
}

/** What a worker has to do now. */
export interface DeliverWork {
  /** New deliveries with their leases, sealed. */
  readonly handOffs?: readonly string[];
  /** Endpoints with deliveries that may be due. */
  readonly endpoints?: readonly EndpointRef[];
}

export interface DeliverBuffer {
  /** Resolves when the backend has it. */
  add(work: DeliverWork): Promise<void>;
  /** An endpoint has one wake-up; a new one replaces it. */
  wakeLater(endpoint: EndpointRef, delayMs: number): Promise<void>;
  /** False while so many jobs wait that new deliveries would outlast their leases. */
  readonly isAccepting: boolean;
}

/** Waiting jobs from which workers are behind. */
const maxWaiting = 500;
const checkEveryMs = 200;
const maxHandOffsPerJob = 64;
const maxEndpointsPerJob = 500;

/**
 * Sends the work of one process as jobs: at once when nothing is in flight, and else together with what is added
 * meanwhile. While workers are behind, hand-offs are dropped, because their leases would end first, and endpoints are
 * gathered, so that an outage of the workers adds few jobs. A failed job is dropped: the reconciler finds what is due.
 */
export function createDeliverBuffer(queue: JobQueue): DeliverBuffer {
  let handOffs: string[] = [];
  let endpoints = new Map<string, EndpointRef>();
  let next: Promise<void> | undefined;
  let sending: Promise<void> = Promise.resolve();
  let isAccepting = true;
  let checkedAt = Number.NEGATIVE_INFINITY;

  const check = async () => {
    const waitMs = checkEveryMs - (performance.now() - checkedAt);
    if (waitMs > 0 && isAccepting) return;
    if (waitMs > 0) await sleep(waitMs);
    checkedAt = performance.now();
    // A count that fails says nothing, and must not fail what was added or is still to be.
    const counts = await queue.counts().catch(() => undefined);
    if (counts !== undefined) isAccepting = counts.waiting <= maxWaiting;
  };
  const flush = async () => {
    await sending.catch(() => undefined);
    if (!isAccepting) await check();
    const jobsToAdd = toJobs(isAccepting ? handOffs : [], [...endpoints.values()]);
    handOffs = [];
    endpoints = new Map();
    next = undefined;
    sending = jobsToAdd.length === 0 ? Promise.resolve() : queue.addBulk(jobsToAdd).then(check);
    await sending;
  };

  return {
    get isAccepting() {
      return isAccepting;
    },
    add: (work) => {
      handOffs.push(...(work.handOffs ?? []));
      for (const endpoint of work.endpoints ?? []) endpoints.set(endpoint.id, endpoint);
      next ??= flush();
      return next;
    },
    wakeLater: (endpoint, delayMs) => queue.addBulk([toWakeUp(endpoint, delayMs)]),
  };
}

/** The usual work fits one job. */
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
