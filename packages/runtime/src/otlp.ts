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
import type { TracingOptions } from './tracing.ts';

const closeMs = 1_000;
/** Further spans are dropped, so that a slow collector blocks nothing. */
const maxQueueSize = 8_192;

const reportEveryMs = 60_000;

/** Reports lost spans, which the SDK doesn't. */
function reportLost(exporter: OTLPTraceExporter, onLost: (error: unknown) => void): SpanExporter {
  let reportedAt = Number.NEGATIVE_INFINITY;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const now = performance.now();
        if (result.error !== undefined && now - reportedAt >= reportEveryMs) {
          reportedAt = now;
          onLost(result.error);
        }
        done(result);
      }),
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  };
}

/** Imported lazily, because the SDK is large. */
export function openOtlp(options: TracingOptions & { endpoint: string }): {
  tracer: Tracer;
  close: () => Promise<void>;
} {
  const { endpoint, serviceName, cell, sampleRatio, exportEveryMs = 1_000, onLost } = options;
  // Some collectors document their address with this path.
  const url = `${endpoint.replace(/(\/v1\/traces)?\/*$/, '')}/v1/traces`;
  const exporter = reportLost(new OTLPTraceExporter({ url }), onLost);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': serviceName,
      'service.namespace': 'finhook',
      ...(cell === undefined ? {} : { 'finhook.cell': cell }),
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampleRatio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter, maxQueueSize, scheduledDelayMillis: exportEveryMs })],
  });
  return {
    tracer: provider.getTracer('finhook'),
    close: async () => {
      const late = new Promise<void>((resolve) => setTimeout(resolve, closeMs).unref());
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
    },
  };
}
