import { type AttemptRecord, type Core, type Heartbeat, startHeartbeat } from '@finhook/core';
import type { QueueProducer } from '@finhook/queue';
import { createServiceMetrics, type Logger, type Metrics, serviceVersion, type Tracing } from '@finhook/runtime';
import { defaultTiming, type Timing } from '../timing.ts';
import { type AttemptWatch, createAttemptWatch } from './attempt-watch.ts';
import { createDeliveryMetrics } from './delivery-metrics.ts';
import { sampleStores } from './sample-stores.ts';

export interface TelemetryOptions {
  readonly metrics?: Metrics | undefined;
  readonly tracing?: Tracing | undefined;
  readonly sendTraceparent?: boolean;
  readonly sampleEveryMs?: number;
  readonly timing?: Pick<Timing, 'heartbeatMs'>;
}

/** Log, heartbeat, and, if configured, metrics and traces of this worker. */
export interface Telemetry {
  readonly watch: AttemptWatch;
  readonly onEvents: ((count: number) => void) | undefined;
  readonly onRecorded: ((record: AttemptRecord) => void) | undefined;
  start(core: Core, producer: Pick<QueueProducer, 'counts'>): void;
  close(): Promise<void>;
}

export function createTelemetry(logger: Logger, options: TelemetryOptions): Telemetry {
  const {
    metrics,
    tracing,
    sendTraceparent = false,
    sampleEveryMs: everyMs = 15_000,
    timing = defaultTiming,
  } = options;
  let heartbeat: Heartbeat | undefined;
  const beat = (core: Core, watch: AttemptWatch): void => {
    heartbeat = startHeartbeat(core, {
      role: 'worker',
      version: serviceVersion(),
      inFlight: () => watch.inFlight(),
      onError: (err) => logger.debug({ err }, 'the heartbeat could not be written'),
      everyMs: timing.heartbeatMs,
    });
  };
  if (metrics === undefined) {
    const watch = createAttemptWatch({ logger, tracing, sendTraceparent });
    const start = (core: Core) => beat(core, watch);
    const nothing = { onEvents: undefined, onRecorded: undefined };
    return { watch, ...nothing, start, close: async () => heartbeat?.close() };
  }
  const service = createServiceMetrics(metrics);
  const deliveries = createDeliveryMetrics(metrics);
  const onError = (error: unknown) => logger.debug({ err: error }, 'the stores could not be read for the metrics');
  let stop = async () => {};
  const watch = createAttemptWatch({ logger, metrics: deliveries, tracing, sendTraceparent });
  return {
    watch,
    onEvents: service.events,
    onRecorded: deliveries.recorded,
    start: (core, producer) => {
      beat(core, watch);
      service.watchPool(core.database.usage);
      stop = sampleStores({ core, producer, metrics, onError, everyMs });
    },
    close: async () => {
      await Promise.all([stop(), heartbeat?.close()]);
    },
  };
}
