import type { Tracer } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { TracingOptions } from './create-tracing.ts';

const closeMs = 1_000;
/** Spans that wait for the collector; what comes beyond them is dropped, so that a slow one costs memory and no time. */
const maxQueueSize = 8_192;

/** The SDK with an OTLP/HTTP exporter. Loaded only where traces are exported, because it is large. */
export function openOtlp({ endpoint, serviceName, sampleRatio }: TracingOptions & { endpoint: string }): {
  tracer: Tracer;
  close: () => Promise<void>;
} {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'service.namespace': 'finhook' }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampleRatio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter, maxQueueSize, scheduledDelayMillis: 1_000 })],
  });
  return {
    tracer: provider.getTracer('finhook'),
    close: async () => {
      const late = new Promise<void>((resolve) => setTimeout(resolve, closeMs).unref());
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
    },
  };
}
