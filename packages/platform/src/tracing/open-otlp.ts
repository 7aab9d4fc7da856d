import type { Tracer } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { TracingOptions } from './create-tracing.ts';

const closeMs = 1_000;
/** Spans that wait for the collector; what comes beyond them is dropped, so that a slow one costs memory and no time. */
const maxQueueSize = 8_192;

const tellEveryMs = 60_000;

/** An exporter that tells of what it could not deliver; the SDK keeps that to itself. */
function telling(exporter: OTLPTraceExporter, onLost: (error: unknown) => void): SpanExporter {
  let toldAt = Number.NEGATIVE_INFINITY;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const now = performance.now();
        if (result.error !== undefined && now - toldAt >= tellEveryMs) {
          toldAt = now;
          onLost(result.error);
        }
        done(result);
      }),
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  };
}

/** The SDK with an OTLP/HTTP exporter. Loaded only where traces are exported, because it is large. */
export function openOtlp({ endpoint, serviceName, sampleRatio, onLost }: TracingOptions & { endpoint: string }): {
  tracer: Tracer;
  close: () => Promise<void>;
} {
  // Some collectors' documentation gives the address with its path.
  const url = `${endpoint.replace(/(\/v1\/traces)?\/*$/, '')}/v1/traces`;
  const exporter = telling(new OTLPTraceExporter({ url }), onLost);
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
