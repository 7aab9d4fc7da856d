import { type Clock, type Core, findDueEndpoints, openCore, type Retention } from '@finhook/core';
import {
  createTransport,
  defaultConnectionsPerOrigin,
  isProxyError,
  parseProxyUrl,
  type Transport,
} from '@finhook/delivery';
import { createQueueConsumer, createQueueProducer, type QueueProducer } from '@finhook/queue';
import type { Logger } from '@finhook/runtime';
import { createAccountSlots } from './account-slots.ts';
import { createDeliveryStore } from './delivery-store.ts';
import { createDeliverEndpoint, type DeliverEndpoint } from './jobs/deliver-endpoint.ts';
import { runMaintenance, scheduleMaintenance } from './jobs/run-maintenance.ts';
import { createSyncConnection } from './jobs/sync-connection.ts';
import { startReconciler } from './reconciler.ts';
import { startReplayer } from './replayer.ts';
import { createSignerCache } from './signer-cache.ts';
import { createBodyBudget } from './slice/body-budget.ts';
import { createConnectionShares } from './slice/connection-shares.ts';
import { createTelemetry, type Telemetry, type TelemetryOptions } from './telemetry/create-telemetry.ts';
import { defaultTiming, type Timing } from './timing.ts';
import { createTracker } from './tracker.ts';

export interface WorkerOptions extends TelemetryOptions {
  readonly databaseUrl: string;
  readonly queueUrl: string;
  /** Comma-separated base64 keys of 32 bytes; the first encrypts. */
  readonly secretsKey: string;
  readonly logger: Logger;
  /** Allows http and private targets; for laptops and tests. */
  readonly allowInsecureWebhooks?: boolean;
  /** Private ranges (CIDR) that outgoing requests may reach. */
  readonly allowedCidrs?: readonly string[] | undefined;
  /** The proxy that outgoing requests go through: `http[s]://[user:password@]host[:port]`. */
  readonly proxyUrl?: string | undefined;
  /** Multiplies the waits between attempts; 1 in production. */
  readonly retryScale?: number;
  /** Endpoints of one account worked on at once; several accounts share twice as many. */
  readonly concurrency?: number;
  readonly poolSize?: number | undefined;
  /** The deadline of one request, in ms. */
  readonly timeoutMs?: number;
  readonly timing?: Timing;
  readonly clock?: Clock;
  /** Retention of rows: 90 days, and seven years for the audit log, by default. */
  readonly retention?: Retention;
  /** Uniform in [0, 1), for the jitter of retries. */
  readonly random?: () => number;
}

export interface Worker extends AsyncDisposable {
  /** Runs what is due now; resolves when nothing is due and nothing is in flight in this process. For tests. */
  drain(): Promise<void>;
  /** Takes no more work, waits at most 10 s for what is in flight, and closes. Idempotent. */
  close(): Promise<void>;
}

/** Maintenance has more to do at once. */
const maintenanceMs = 10 * 60 * 1000;
const maxSliceSends = 2_000;
/** A maintenance statement that still runs then is not awaited; it ends with the process. */
const closeStoresMs = 1_000;
/** Large bodies that are being sent at the same time; the strings that they are made of come on top. */
const largeBodiesBytes = 32 * 1024 * 1024;
/** Requests at once to one endpoint. */
const endpointConcurrency = 64;
/** Sync runs of one account worked on at once; several accounts share twice as many. They are long and rare. */
const syncConcurrency = 4;

/**
 * Puts the delivery process together. Succeeds while the database or the queue is away, and waits for them.
 *
 * @throws ServerVersionError, NotMigratedError, RestoredIdsError
 */
export async function createWorker(options: WorkerOptions): Promise<Worker> {
  const { logger, timeoutMs = 15_000, concurrency = 100, random = Math.random, timing = defaultTiming } = options;
  await using opened = new AsyncDisposableStack();
  const producer = opened.adopt(createQueueProducer(options.queueUrl, { logger }), (queue) => queue.close());
  const telemetry = createTelemetry(logger, options);
  const patient = await openWorkerCore(options, producer, telemetry);
  opened.defer(() => patient.database.close());
  await patient.database.requireMigrated();
  const core = bounded(patient, timeoutMs + timing.leaseMarginMs - timing.silenceMarginMs);
  const transport = openTransport(options, timeoutMs);
  const tracker = createTracker();
  const isActive = (endpointId: string): boolean => tracker.isActive(endpointId);
  const slots = createAccountSlots(concurrency, { isActive, resume: (id) => reconciler.resumeEndpoint(id) });
  const syncSlots = createAccountSlots(syncConcurrency, { resume: (runId) => reconciler.resumeSync(runId) });
  const parts = createDeliveryParts({ ...options, timeoutMs, random, timing }, core, telemetry);
  const deliverEndpoint = createDeliverEndpoint({ ...parts, core, producer, transport, logger, places: slots });
  const deliver = tracker.track(deliverEndpoint, () => slots.resumeNext());
  const deliverAndLog = logProxyErrors(deliver, logger);
  const sync = createSyncConnection({ core, logger, slots: syncSlots });
  const consumer = createQueueConsumer(options.queueUrl, {
    logger,
    timing: timing.queue,
    concurrency: { 'endpoint.deliver': slots.size, 'connection.sync': syncSlots.size, 'maintenance.run': 1 },
    handlers: {
      'endpoint.deliver': ({ endpoint_id }, { signal }) => deliverAndLog(endpoint_id, signal),
      'connection.sync': ({ run_id }, { signal }) => sync(run_id, signal),
      'maintenance.run': ({ task }) => runMaintenance(bounded(patient, maintenanceMs), task, options),
    },
  });
  const reconciler = startReconciler({
    core,
    logger,
    everyMs: timing.reconcileMs,
    random,
    deliveries: {
      run: deliverAndLog,
      isTaken: (endpointId) => isActive(endpointId) || slots.isWaiting(endpointId),
      concurrency: slots.size,
    },
    // One that is worked on is not found: its lease says so.
    syncs: { run: sync, isTaken: (runId) => syncSlots.isWaiting(runId), concurrency: syncSlots.size },
  });
  const replayer = startReplayer({ core, logger });
  scheduleMaintenance(producer);
  telemetry.start(core, producer);
  const stores = opened.move();
  const close = once(async () => {
    const { closeMs } = timing;
    const others = [reconciler, replayer, telemetry].map((part) => within(closeMs, part.close()));
    await Promise.all([consumer.close({ timeoutMs: closeMs }), ...others]);
    // Requests that outlast the deadline are sent again when their lease ends; closing would wait for them.
    if (tracker.isIdle()) await transport.close();
    await within(closeStoresMs, stores.disposeAsync());
  });
  return {
    drain: () => tracker.drain(() => findDueEndpoints(core, 0), deliver),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function openTransport(options: WorkerOptions, timeoutMs: number): Transport {
  const { allowInsecureWebhooks: allowInsecure = false, allowedCidrs, proxyUrl } = options;
  const proxy = proxyUrl === undefined ? undefined : parseProxyUrl(proxyUrl);
  return createTransport({ policy: { allowInsecure, allowedCidrs }, proxy, timeoutMs });
}

type PartOptions = Pick<WorkerOptions, 'retryScale'> & Required<Pick<WorkerOptions, 'timeoutMs' | 'random' | 'timing'>>;

function createDeliveryParts(options: PartOptions, core: Core, telemetry: Telemetry) {
  const { timeoutMs, random, retryScale = 1 } = options;
  const { leaseMarginMs, recordMarginMs, sliceMs } = options.timing;
  const leaseMs = timeoutMs + leaseMarginMs;
  return {
    monotonicNow: () => performance.now(),
    clock: core.clock,
    store: createDeliveryStore({ core, leaseMs, recordRetryMs: 10_000, telemetry }),
    watch: telemetry.watch,
    signers: createSignerCache(10_000),
    bodies: createBodyBudget(largeBodiesBytes),
    shares: createConnectionShares(defaultConnectionsPerOrigin),
    timing: { scale: retryScale, random },
    limits: {
      maxSends: maxSliceSends,
      maxMs: sliceMs,
      startWithinMs: leaseMarginMs - recordMarginMs,
      leaseMarginMs,
      timeoutMs,
      concurrency: endpointConcurrency,
    },
  };
}

function openWorkerCore(options: WorkerOptions, producer: QueueProducer, { onEvents }: Telemetry): Promise<Core> {
  const { logger } = options;
  return openCore({
    databaseUrl: options.databaseUrl,
    secretsKey: options.secretsKey,
    allowInsecureWebhooks: options.allowInsecureWebhooks ?? false,
    allowedCidrs: options.allowedCidrs,
    proxyUrl: options.proxyUrl,
    poolSize: options.poolSize,
    wake: (ids) => void producer.wake(ids).catch(() => undefined),
    onDatabaseError: (message) => logger.debug({ message }, 'the database reported an error'),
    onEvents,
    ...(options.clock === undefined ? {} : { clock: options.clock }),
  });
}

/** The same core, where a connection to the database is given up when its work is not over within `ms`. */
function bounded(core: Core, ms: number): Core {
  return { ...core, database: core.database.within(ms) };
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}

/** Waits for `work`, but not longer than `ms`. */
function within(ms: number, work: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

const everyMs = 60_000;

/**
 * Delivers, and logs failures of the outgoing proxy at most once a minute, because each due delivery meets them. The caller
 * logs other errors.
 */
function logProxyErrors(deliver: DeliverEndpoint, logger: Pick<Logger, 'error'>): DeliverEndpoint {
  let toldAt = Number.NEGATIVE_INFINITY;
  return async (endpointId, signal) => {
    try {
      await deliver(endpointId, signal);
    } catch (err) {
      if (!isProxyError(err)) throw err;
      if (performance.now() - toldAt < everyMs) return;
      toldAt = performance.now();
      logger.error({ err }, 'nothing gets through the outgoing proxy: deliveries wait');
    }
  };
}
