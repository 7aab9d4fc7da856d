import type { Logger } from './logger.ts';
import { createMetrics, createServiceMetrics, type Metrics, type ServiceMetrics, serveMetrics } from './metrics.ts';
import { createTracing, type Tracing } from './tracing.ts';

interface ObservabilityOptions {
  readonly serviceName: string;
  readonly logger: Logger;
  /** The label `cell` of metrics, and the attribute `finhook.cell` of spans. */
  readonly cell?: string | undefined;
  /** Undefined: no metrics. 0 takes any free port. */
  readonly metricsPort: number | undefined;
  readonly metricsHost: string;
  /** Undefined: no traces. */
  readonly otlpEndpoint: string | undefined;
  readonly sampleRatio: number;
}

export interface Observability {
  readonly metrics: Metrics | undefined;
  readonly service: ServiceMetrics | undefined;
  readonly metricsUrl: string | undefined;
  readonly tracing: Tracing | undefined;
  readonly close: () => Promise<void>;
}

/** Serves metrics on their own port and exports traces to a collector, as configured. */
export async function openObservability(options: ObservabilityOptions): Promise<Observability> {
  const { serviceName, logger, metricsPort: port, metricsHost: host, otlpEndpoint: endpoint, sampleRatio } = options;
  const metrics = port === undefined ? undefined : createMetrics(options.cell);
  const server = metrics && port !== undefined ? await serveMetrics(metrics, { port, host }) : undefined;
  const tracing = await createTracing({
    endpoint,
    serviceName,
    cell: options.cell,
    sampleRatio,
    onLost: (err) => logger.warn({ err, endpoint }, 'The collector rejects traces: spans are lost.'),
  });
  if (server !== undefined) logger.info({ url: server.url }, 'metrics are served');
  return {
    metrics,
    service: metrics && createServiceMetrics(metrics),
    metricsUrl: server?.url,
    tracing,
    close: async () => void (await Promise.all([server?.close(), tracing?.close()])),
  };
}
