import { type SpanContext, TraceFlags } from '@opentelemetry/api';

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const zeros = /^0+$/;

/**
 * Reads a `traceparent` (W3C Trace Context, section 3.2): versions after 00 by what they share with it. Undefined when
 * it must be ignored, which begins a new trace.
 */
export function parseTraceparent(text: string | undefined): SpanContext | undefined {
  const match = text === undefined ? null : form.exec(text.trim());
  if (!match) return undefined;
  const [, version, traceId = '', spanId = '', flags = '', rest] = match;
  if (version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  if (zeros.test(traceId) || zeros.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true };
}

/** The `traceparent` of version 00 that names this span as the parent. */
export function formatTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${(traceFlags & TraceFlags.SAMPLED).toString(16).padStart(2, '0')}`;
}
