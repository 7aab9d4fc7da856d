import {
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { maskText } from './mask-secrets.ts';

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

interface SpanStart {
  readonly name: string;
  readonly kind: 'server' | 'client';
  /** The `traceparent` to continue; without a valid one a new trace begins. */
  readonly parent: string | undefined;
  readonly attributes: SpanAttributes;
}

/** Attributes must not contain bodies, URLs or secrets. */
export interface TraceSpan {
  readonly traceId: string;
  readonly traceparent: string;
  rename(name: string): void;
  /** `error` is a class of errors, not a message. */
  end(attributes: SpanAttributes, error?: string): void;
}

export interface Tracing {
  start(span: SpanStart): TraceSpan;
  /** Exports the remaining spans, for at most a second. */
  close(): Promise<void>;
}

export interface TracingOptions {
  /** The collector's OTLP/HTTP address, e.g. `http://127.0.0.1:4318`. Undefined: no tracing; the SDK is not loaded. */
  readonly endpoint: string | undefined;
  readonly serviceName: string;
  readonly cell?: string | undefined;
  /** Share of new traces that are sampled, 0 to 1; a caller's trace keeps its decision. */
  readonly sampleRatio: number;
  readonly exportEveryMs?: number;
  /** Called at most once a minute when the collector rejects spans, which are lost. */
  readonly onLost: (error: unknown) => void;
}

/** Registers nothing globally: callers pass spans explicitly. */
export async function createTracing({ endpoint, ...options }: TracingOptions): Promise<Tracing | undefined> {
  if (endpoint === undefined) return undefined;
  const { openOtlp } = await import('./otlp.ts');
  const { tracer, close } = openOtlp({ endpoint, ...options });
  return { start: (span) => startSpan(tracer, span), close };
}

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT };

function startSpan(tracer: Tracer, { name, kind, parent, attributes }: SpanStart): TraceSpan {
  const from = parseTraceparent(parent);
  const context = from === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, from);
  const span = tracer.startSpan(name, { kind: kinds[kind], attributes: masked(attributes) }, context);
  const own = span.spanContext();
  return {
    traceId: own.traceId,
    traceparent: formatTraceparent(own),
    rename: (newName) => void span.updateName(newName),
    end: (more, error) => {
      span.setAttributes(masked(more));
      if (error !== undefined) span.setAttribute('error.type', error).setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

function masked(attributes: SpanAttributes): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, typeof value === 'string' ? maskText(value) : value]),
  );
}

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const zeros = /^0+$/;

/** W3C Trace Context, section 3.2; later versions by the fields of version 00. Undefined if invalid. */
export function parseTraceparent(text: string | undefined): SpanContext | undefined {
  const match = text === undefined ? null : form.exec(text.trim());
  if (!match) return undefined;
  const [, version, traceId = '', spanId = '', flags = '', rest] = match;
  if (version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  if (zeros.test(traceId) || zeros.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true };
}

export function formatTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${(traceFlags & TraceFlags.SAMPLED).toString(16).padStart(2, '0')}`;
}
