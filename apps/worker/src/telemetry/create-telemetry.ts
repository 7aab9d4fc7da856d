import type { AttemptRecord, Core } from '@finhook/core';
import { createServiceMetrics, type Logger, type Metrics, type QueueProducer, type Tracing } from '@finhook/platform';
import { type AttemptWatch, createAttemptWatch } from './attempt-watch.ts';
import { createDeliveryMetrics } from './delivery-metrics.ts';
import { sampleStores } from './sample-stores.ts';

export interface TelemetryOptions {
  readonly metrics?: Metrics | undefined;
  readonly tracing?: Tracing | undefined;
  /** Whether receivers get a `traceparent` header. */
  readonly sendTraceparent?: boolean;
  /** How often database and queue are read for the metrics, in ms. */
  readonly sampleEveryMs?: number;
}

/** How this worker is observed; without metrics and tracing there is the log alone. */
export interface Telemetry {
  readonly watch: AttemptWatch;
  /** Whether attempts go on with the traces of their events. */
  readonly traced: boolean;
  readonly onEvents: ((count: number) => void) | undefined;
  readonly onRecorded: ((record: AttemptRecord) => void) | undefined;
  /** Begins to read the stores. */
  start(core: Core, producer: Pick<QueueProducer, 'counts'>): void;
  close(): Promise<void>;
}

export function createTelemetry(logger: Logger, options: TelemetryOptions): Telemetry {
  const { metrics, tracing, sendTraceparent = false, sampleEveryMs: everyMs = 15_000 } = options;
  const traced = tracing !== undefined;
  if (metrics === undefined) {
    const watch = createAttemptWatch({ logger, tracing, sendTraceparent });
    const nothing = { onEvents: undefined, onRecorded: undefined, start: () => undefined };
    return { watch, traced, ...nothing, close: async () => undefined };
  }
  const service = createServiceMetrics(metrics);
  const deliveries = createDeliveryMetrics(metrics);
  const onError = (error: unknown) => logger.debug({ err: error }, 'the stores could not be read for the metrics');
  let stop = async () => {};
  return {
    watch: createAttemptWatch({ logger, metrics: deliveries, tracing, sendTraceparent }),
    traced,
    onEvents: service.events,
    onRecorded: deliveries.recorded,
    start: (core, producer) => {
      service.watchPool(core.database.usage);
      stop = sampleStores({ core, producer, metrics, onError, everyMs });
    },
    close: () => stop(),
  };
}
