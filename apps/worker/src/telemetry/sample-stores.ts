import { jobNames } from '@finhook/contracts';
import {
  type Core,
  createLostDeliveryCheck,
  readBacklog,
  readUnfinishedMoves,
  readUnhealthyEndpoints,
  repeat,
} from '@finhook/core';
import type { QueueProducer } from '@finhook/queue';
import type { GaugeReading, Metrics } from '@finhook/runtime';

interface SampleOptions {
  readonly everyMs: number;
  readonly sample: () => Promise<void>;
  readonly onError: (error: unknown) => void;
}

const restFactor = 4;

/** Returns a function that stops it and resolves when no sample is running. */
export function sampleRegularly({ everyMs, sample, onError }: SampleOptions): () => Promise<void> {
  const run = async () => {
    const startedAt = performance.now();
    await sample().catch(onError);
    return Math.max(everyMs, restFactor * (performance.now() - startedAt));
  };
  const samples = repeat(run, { unref: true });
  return () => samples.close();
}

interface SampleStoresOptions {
  readonly core: Core;
  readonly producer: Pick<QueueProducer, 'counts'>;
  readonly metrics: Metrics;
  readonly onError: (error: unknown) => void;
  readonly everyMs: number;
}

/** Maximum of unhealthy endpoints with metrics of their own, because their ids are labels. */
const maxEndpoints = 20;
/** Scheduled deliveries of one endpoint are counted up to this number. */
const maxScheduled = 100_000;

/**
 * Every worker reports the same figures: aggregate them by maximum. Gauges of a failed sample are missing from the
 * scrape.
 */
export function sampleStores(options: SampleStoresOptions): () => Promise<void> {
  const { metrics, everyMs, onError } = options;
  const failures = metrics.counter({
    name: 'finhook_sample_failures_total',
    help: 'Samples of the database or the queue that failed; their gauges are missing from the scrape meanwhile.',
    labels: ['store'],
  });
  const samples = [
    { store: 'database', ...sampleBacklog(options) },
    { store: 'database', ...sampleLostDeliveries(options) },
    { store: 'database', ...sampleMoves(options) },
    { store: 'queue', ...sampleQueue(options) },
  ];
  const sampleOne = async ({ store, take, clear }: (typeof samples)[number]) => {
    try {
      await take();
    } catch (error) {
      failures.add({ store });
      clear();
      onError(error);
    }
  };
  for (const store of ['database', 'queue']) failures.add({ store }, 0);
  return sampleRegularly({ everyMs, onError, sample: async () => void (await Promise.all(samples.map(sampleOne))) });
}

interface Sample {
  readonly take: () => Promise<void>;
  readonly clear: () => void;
}

function sampleBacklog({ core, metrics }: SampleStoresOptions): Sample {
  const plain = (name: string, help: string) => metrics.gauge({ name, help, labels: [] });
  const ofEndpoint = (name: string, help: string) => {
    return metrics.gauge({ name, help, labels: ['endpoint_id', 'account_id', 'status'] });
  };
  const scheduled = plain('finhook_deliveries_scheduled', 'Deliveries that are still to be attempted.');
  const due = plain(
    'finhook_deliveries_due',
    'Scheduled deliveries whose time has come, at endpoints that may get them now.',
  );
  const held = plain('finhook_deliveries_held', 'Due deliveries that wait on purpose, e.g. for a paused endpoint.');
  const oldest = plain('finhook_oldest_due_age_seconds', 'How long ago the oldest of finhook_deliveries_due was due.');
  const backlogs = ofEndpoint('finhook_endpoint_scheduled', 'Scheduled deliveries of the most unhealthy endpoints.');
  const ages = ofEndpoint('finhook_endpoint_oldest_due_age_seconds', 'Age of the oldest due delivery of each of them.');
  const failures = ofEndpoint('finhook_endpoint_consecutive_failures', 'Failed attempts in a row of each of them.');
  return {
    take: async () => {
      // A read-only database counts as a failed sample.
      await core.database.tryWrite();
      const backlog = await readBacklog(core);
      const unhealthy = await readUnhealthyEndpoints(core, { top: maxEndpoints, waitingLimit: maxScheduled });
      scheduled.replace([{ labels: {}, value: backlog.scheduled }]);
      due.replace([{ labels: {}, value: backlog.due }]);
      held.replace([{ labels: {}, value: backlog.held }]);
      oldest.replace([{ labels: {}, value: backlog.oldestDueAgeSeconds }]);
      const labelled = unhealthy.map((endpoint) => ({
        endpoint,
        labels: { endpoint_id: endpoint.endpointId, account_id: endpoint.accountId, status: endpoint.status },
      }));
      backlogs.replace(labelled.map(({ endpoint, labels }) => ({ labels, value: endpoint.waiting })));
      ages.replace(labelled.map(({ endpoint, labels }) => ({ labels, value: endpoint.oldestDueAgeSeconds })));
      failures.replace(labelled.map(({ endpoint, labels }) => ({ labels, value: endpoint.consecutiveFailures })));
    },
    clear: () => {
      for (const gauge of [scheduled, due, held, oldest]) gauge.replace([]);
      for (const gauge of [backlogs, ages, failures]) gauge.replace([]);
    },
  };
}

function sampleLostDeliveries({ core, metrics }: SampleStoresOptions): Sample {
  const counts = metrics.gauge({
    name: 'finhook_ledger_deliveries',
    help: 'Deliveries that are kept, as of the last complete audit: accepted, terminal, scheduled.',
    labels: ['state'],
  });
  const lostDeliveries = metrics.gauge({
    name: 'finhook_ledger_unaccounted',
    help: 'accepted - terminal - scheduled: deliveries that were lost. Anything but 0 is a bug.',
    labels: [],
  });
  const countedAt = metrics.gauge({
    name: 'finhook_ledger_walked_timestamp_seconds',
    help: 'When the last complete audit of the deliveries ended.',
    labels: [],
  });
  const check = createLostDeliveryCheck(core);
  return {
    take: async () => {
      const { whole, lost } = await check.step();
      lostDeliveries.replace([{ labels: {}, value: lost }]);
      if (whole === undefined) return;
      const { accepted, terminal, scheduled, at } = whole;
      counts.replace(
        Object.entries({ accepted, terminal, scheduled }).map(([state, value]) => ({ labels: { state }, value })),
      );
      countedAt.replace([{ labels: {}, value: at.getTime() / 1000 }]);
    },
    clear: () => {
      counts.replace([]);
      lostDeliveries.replace([]);
    },
  };
}

const moveStates = ['copying', 'draining', 'frozen', 'arriving'] as const;
const maxMoves = 100;

function sampleMoves({ core, metrics }: SampleStoresOptions): Sample {
  const age = metrics.gauge({
    name: 'finhook_account_move_age_seconds',
    help: 'How long an unfinished account:move from or to this cell has been in its state, the longest; 0 without one.',
    labels: ['state'],
  });
  return {
    take: async () => {
      const moves = await readUnfinishedMoves(core, maxMoves);
      const longest = (state: string): number =>
        Math.max(0, ...moves.filter((move) => move.state === state).map(({ stateSeconds }) => stateSeconds));
      age.replace(moveStates.map((state) => ({ labels: { state }, value: longest(state) })));
    },
    clear: () => age.replace([]),
  };
}

function sampleQueue({ producer, metrics }: SampleStoresOptions): Sample {
  const jobs = metrics.gauge({
    name: 'finhook_queue_jobs',
    help: 'Jobs in the queue. They are wake-ups: what is to be delivered is in the database.',
    labels: ['queue_job', 'state'],
  });
  return {
    take: async () => {
      const readings: GaugeReading<'queue_job' | 'state'>[] = [];
      for (const job of jobNames()) {
        for (const [state, value] of Object.entries<number>({ ...(await producer.counts(job)) })) {
          readings.push({ labels: { queue_job: job, state }, value });
        }
      }
      jobs.replace(readings);
    },
    clear: () => jobs.replace([]),
  };
}
