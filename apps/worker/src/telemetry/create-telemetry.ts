import { type AttemptRecord, type Core, type Heartbeat, startHeartbeat } from '@finhook/core';
import type { QueueProducer } from '@finhook/queue';
import { type Logger, type Metrics, type ServiceMetrics, serviceVersion, type Tracing } from '@finhook/runtime';
import { defaultTiming, type Timing } from '../timing.ts';
import { type AttemptWatch, createAttemptWatch } from './attempt-watch.ts';
import { createDeliveryMetrics } from './delivery-metrics.ts';
import { sampleStores } from './sample-stores.ts';

export interface TelemetryOptions {
  readonly metrics?: Metrics | undefined;
  readonly service?: ServiceMetrics | undefined;
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
    service,
    tracing,
    sendTraceparent,
    sampleEveryMs: everyMs = 15_000,
    timing = defaultTiming,
  } = options;
  const deliveries = metrics && createDeliveryMetrics(metrics);
  const watch = createAttemptWatch({ logger, metrics: deliveries, tracing, sendTraceparent });
  const onError = (err: unknown) => logger.debug({ err }, 'the stores could not be read for the metrics');
  let heartbeat: Heartbeat | undefined;
  let stopSamples = async () => {};
  return {
    watch,
    onEvents: service?.events,
    onRecorded: deliveries?.recorded,
    start: (core, producer) => {
      heartbeat = startHeartbeat(core, {
        role: 'worker',
        version: serviceVersion(),
        inFlight: () => watch.inFlight(),
        onError: (err) => logger.debug({ err }, 'the heartbeat could not be written'),
        everyMs: timing.heartbeatMs,
      });
      service?.watchPool(core.database.usage);
      if (metrics !== undefined) stopSamples = sampleStores({ core, producer, metrics, onError, everyMs });
    },
    close: async () => {
      await Promise.all([stopSamples(), heartbeat?.close()]);
    },
  };
}
