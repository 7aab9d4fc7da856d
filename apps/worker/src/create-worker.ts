import { defaultTimeoutMs } from '@finhook/contracts';
import {
  admitProcess,
  type Clock,
  type Core,
  type InProcessQueue,
  openCore,
  type Retention,
  settleWithin,
  toDeliveryQueue,
} from '@finhook/core';
import { createTransport, parseProxyUrl, type Transport } from '@finhook/delivery';
import { createQueueConsumer, createQueueProducer, type QueueProducer } from '@finhook/queue';
import type { Logger } from '@finhook/runtime';
import { Deliveries } from './deliver/deliveries.ts';
import { runMaintenance, scheduleMaintenance } from './jobs/run-maintenance.ts';
import { createSyncs } from './jobs/sync-connection.ts';
import { startReconciler } from './reconciler.ts';
import { startReplayer } from './replayer.ts';
import { createTelemetry, type TelemetryOptions } from './telemetry/create-telemetry.ts';
import { defaultTiming, type Timing } from './timing.ts';

interface SharedWithApi {
  readonly producer: QueueProducer;
  readonly queue: InProcessQueue;
  /** Default: the worker opens its own. */
  readonly core?: Core | undefined;
}

export interface WorkerOptions extends TelemetryOptions {
  readonly databaseUrl: string;
  readonly cell?: string | undefined;
  readonly queueUrl: string;
  /** Comma-separated base64 keys of 32 bytes; the first encrypts. */
  readonly secretsKey: string;
  readonly logger: Logger;
  /** Shared with an api in the same process. Its opener closes it. */
  readonly shared?: SharedWithApi;
  /** Allows http and private targets; for laptops and tests. */
  readonly allowInsecureWebhooks?: boolean;
  /** Private ranges (CIDR) that outgoing requests may reach. */
  readonly allowedCidrs?: readonly string[] | undefined;
  /** The proxy that outgoing requests go through: `http[s]://[user:password@]host[:port]`. */
  readonly proxyUrl?: string | undefined;
  readonly retryScale?: number;
  /** Deliveries leased at the same time; one account may have half. */
  readonly slots?: number;
  /** Connections to one scheme, host and port; one account may have half. 256 by default. */
  readonly connectionsPerOrigin?: number;
  readonly poolSize?: number | undefined;
  readonly timeoutMs?: number;
  readonly timing?: Timing;
  readonly clock?: Clock;
  /** Aborts the start, which may wait for the database. */
  readonly signal?: AbortSignal | undefined;
  /** Default: 90 days, seven years for the audit log. */
  readonly retention?: Retention;
}

export interface Worker extends AsyncDisposable {
  readonly newestMigration: string;
  /** True while it holds no delivery, and all results are stored. */
  isIdle(): boolean;
  /** Takes no more work, waits at most 10 s for requests in flight, and closes. Idempotent. */
  close(): Promise<void>;
}

const maintenanceMs = 10 * 60 * 1000;
/** Closing doesn't wait longer for a maintenance statement; it ends with the process. */
const closeStoresMs = 1_000;
const defaultSlots = 4_096;

/** The queue may be unavailable. @throws ServerVersionError, NotMigratedError, RestoredError, SecretsKeyError */
export async function createWorker(options: WorkerOptions): Promise<Worker> {
  const { logger, timeoutMs = defaultTimeoutMs, slots = defaultSlots, timing = defaultTiming } = options;
  await using opened = new AsyncDisposableStack();
  const telemetry = createTelemetry(logger, options);
  const { producer, stores } = await openStores(options, opened);
  const coreWithoutDeadline = { ...stores, onEvents: telemetry.onEvents };
  const core = withDeadline(coreWithoutDeadline, timing.databaseMs);
  const transport = openTransport(options, timeoutMs);
  const deliveries = new Deliveries({
    core,
    producer,
    transport,
    telemetry,
    logger,
    retries: { scale: options.retryScale ?? 1, random: Math.random },
    timeoutMs,
    slots,
    timing,
  });
  const syncs = createSyncs({ core, logger });
  const consumer = createQueueConsumer(options.queueUrl, {
    logger,
    producer,
    timing: timing.queue,
    concurrency: { 'connection.sync': syncs.concurrency, 'maintenance.run': 1 },
    handlers: {
      deliver: async (work) => deliveries.receive(work),
      'connection.sync': ({ run_id }) => syncs.run(run_id),
      'maintenance.run': ({ task }) => runMaintenance(withDeadline(coreWithoutDeadline, maintenanceMs), task, options),
    },
  });
  const reconciler = startReconciler({
    core,
    logger,
    isQueueAway: consumer.isAway,
    everyMs: timing.reconcileMs,
    awayMs: timing.reconcileAwayMs,
    poke: (endpoints) => deliveries.foundDue(endpoints),
    resumeSync: (runId) => void syncs.run(runId),
  });
  const replayer = startReplayer({ core, logger, idleMs: timing.replayMs });
  scheduleMaintenance(producer);
  telemetry.start(core, producer);
  const disconnect = options.shared?.queue.connect(deliveries);
  const own = opened.move();
  const close = once(async () => {
    disconnect?.();
    const parts = [deliveries, syncs, reconciler, replayer, telemetry].map((part) =>
      settleWithin(timing.closeMs, part.close()),
    );
    await Promise.all([consumer.close({ timeoutMs: timing.closeMs }), ...parts]);
    // Closing the transport would wait for requests in flight. Those past the deadline are sent again when their lease ends.
    if (deliveries.isIdle) await transport.close();
    await settleWithin(closeStoresMs, own.disposeAsync());
  });
  const { newestMigration } = core.database;
  return { newestMigration, isIdle: () => deliveries.isIdle, close, [Symbol.asyncDispose]: close };
}

function openTransport(options: WorkerOptions, timeoutMs: number): Transport {
  const { allowInsecureWebhooks: allowInsecure = false, allowedCidrs, proxyUrl } = options;
  const proxy = proxyUrl === undefined ? undefined : parseProxyUrl(proxyUrl);
  const { connectionsPerOrigin } = options;
  const connections = connectionsPerOrigin === undefined ? {} : { connectionsPerOrigin };
  return createTransport({ policy: { allowInsecure, allowedCidrs }, proxy, timeoutMs, ...connections });
}

/** Waits for a database that is unavailable. */
async function openStores(options: WorkerOptions, opened: AsyncDisposableStack) {
  const { queueUrl, logger, shared, signal } = options;
  const producer =
    shared?.producer ?? opened.adopt(createQueueProducer(queueUrl, { logger }), (queue) => queue.close());
  const core = shared?.core ?? (await openOwnCore(options, opened));
  const queue = shared?.queue ?? toDeliveryQueue(producer, core.secrets);
  const onWait = (err: unknown) => logger.warn({ err }, 'the database is unavailable: the worker waits for it');
  await admitProcess(core, { prepare: () => core.database.requireMigrated(), onWait, signal });
  return { producer, stores: { ...core, queue } };
}

async function openOwnCore(options: WorkerOptions, opened: AsyncDisposableStack): Promise<Core> {
  const { logger } = options;
  const core = await openCore({
    databaseUrl: options.databaseUrl,
    cell: options.cell,
    secretsKey: options.secretsKey,
    allowInsecureWebhooks: options.allowInsecureWebhooks ?? false,
    allowedCidrs: options.allowedCidrs,
    proxyUrl: options.proxyUrl,
    poolSize: options.poolSize,
    onDatabaseError: (message) => logger.debug({ message }, 'the database reported an error'),
    ...(options.clock === undefined ? {} : { clock: options.clock }),
  });
  opened.defer(() => core.database.close());
  return core;
}

/** The same core, which destroys a connection whose work takes longer than `ms`. */
function withDeadline(core: Core, ms: number): Core {
  return { ...core, database: core.database.within(ms) };
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}
