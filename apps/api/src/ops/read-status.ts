import { type JobName, jobNames } from '@finhook/contracts';
import {
  type Core,
  countRecentOutcomes,
  createLostDeliveryCheck,
  type DueWork,
  type EndpointFacts,
  type LostDeliveries,
  listProcesses,
  type RecentOutcomes,
  readDueWork,
  readEndpointFacts,
  readUnfinishedMoves,
  readUnhealthyEndpoints,
  type ServiceProcess,
  settleWithin,
  type UnfinishedMove,
  type UnhealthyEndpoint,
} from '@finhook/core';
import type { JobCounts } from '@finhook/queue';
import type { Logger } from '@finhook/runtime';
import { type DueSample, recordDueHistory } from './due-history.ts';

type Part<T> = T | undefined;

export type ShownEndpoint = UnhealthyEndpoint & { readonly facts: EndpointFacts | undefined };

export interface ConsoleStatus {
  readonly at: Date;
  readonly lostDeliveries: Part<LostDeliveries>;
  readonly work: Part<DueWork>;
  readonly history: readonly DueSample[];
  readonly recent: Part<RecentOutcomes>;
  readonly unhealthy: Part<readonly ShownEndpoint[]>;
  readonly moves: Part<readonly UnfinishedMove[]>;
  readonly processes: Part<readonly ServiceProcess[]>;
  readonly queue: Part<readonly { readonly job: JobName; readonly counts: JobCounts }[]>;
}

export interface StatusOptions {
  readonly core: Core;
  readonly logger: Logger;
  readonly countJobs: (job: JobName) => Promise<JobCounts>;
  /** Interval between samples of due deliveries. */
  readonly sampleMs?: number | undefined;
}

/** Limits of counts, and the age of recent deliveries. */
const dueLimit = 50_000;
export const recentMs = 5 * 60 * 1000;
const recentLimit = 20_000;
export const unhealthyLimit = 50;
export const waitingLimit = 1_000;
/** Deliveries that an endpoint's success rate counts. */
export const ratedLimit = 200;
/** Time per refresh for counting all deliveries: a million take two minutes. */
const countStepMs = 250;
/** Minimum time to cache a status, and time limit of a store. */
const freshMs = 2_000;
const timeoutMs = 4_000;
/** Caches a status for this multiple of its read time. */
const restFactor = 4;

export interface StatusReader {
  /** All readers share one cached status, which bounds the load. */
  readonly read: () => Promise<ConsoleStatus>;
  readonly close: () => Promise<void>;
}

export function createStatusReader({ core, logger, countJobs, sampleMs }: StatusOptions): StatusReader {
  const check = createLostDeliveryCheck(core, countStepMs);
  const part = <T>(read: () => Promise<T>) =>
    readInTime(read, (err) => logger.warn({ err }, 'the console is incomplete'));
  const parts = {
    lostDeliveries: part(() => check.step()),
    work: part(() => readDueWork(core, dueLimit)),
    recent: part(() => countRecentOutcomes(core, recentMs, recentLimit)),
    unhealthy: part(() => readUnhealthy(core)),
    moves: part(() => readUnfinishedMoves(core, unhealthyLimit)),
    processes: part(() => listProcesses(core)),
    queue: part(() => Promise.all(jobNames().map(async (job) => ({ job, counts: await countJobs(job) })))),
  };
  const history = recordDueHistory({ read: parts.work, clock: core.clock, everyMs: sampleMs });
  const read = async (): Promise<ConsoleStatus> => {
    const [lostDeliveries, work, recent, unhealthy, moves, processes, queue] = await Promise.all([
      parts.lostDeliveries(),
      parts.work(),
      parts.recent(),
      parts.unhealthy(),
      parts.moves(),
      parts.processes(),
      parts.queue(),
    ]);
    const at = core.clock.now();
    return { at, lostDeliveries, work, history: history.samples(), recent, unhealthy, moves, processes, queue };
  };
  let latest: Promise<ConsoleStatus> | undefined;
  let freshUntil = 0;
  const readFresh = (): Promise<ConsoleStatus> => {
    if (latest !== undefined && performance.now() < freshUntil) return latest;
    const began = performance.now();
    freshUntil = Number.POSITIVE_INFINITY;
    latest = read().finally(() => {
      const ended = performance.now();
      freshUntil = ended + Math.max(freshMs, restFactor * (ended - began));
    });
    return latest;
  };
  return { read: readFresh, close: history.close };
}

function readInTime<T>(read: () => Promise<T>, onError: (error: unknown) => void): () => Promise<Part<T>> {
  let running: Promise<Part<T>> | undefined;
  const begin = async () => {
    try {
      return await read();
    } catch (error) {
      onError(error);
      return undefined;
    } finally {
      running = undefined;
    }
  };
  return () => settleWithin(timeoutMs, (running ??= begin()));
}

async function readUnhealthy(core: Core): Promise<ShownEndpoint[]> {
  const found = await readUnhealthyEndpoints(core, { top: unhealthyLimit, waitingLimit });
  const facts = await readEndpointFacts(core, found, ratedLimit);
  return found.map((endpoint) => ({ ...endpoint, facts: facts.get(endpoint.endpointId) }));
}
