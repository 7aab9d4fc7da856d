import type { Receiver } from '@finhook/testing';

/** A span as it arrived at the collector. */
export interface Span {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  /** As OTLP numbers them: 2 server, 3 client. */
  readonly kind: number;
  readonly failed: boolean;
  readonly attributes: Readonly<Record<string, unknown>>;
}

interface KeyValue {
  key: string;
  value: Record<string, unknown>;
}

interface ExportRequest {
  resourceSpans: {
    resource: { attributes: KeyValue[] };
    scopeSpans: {
      spans: (Pick<Span, 'traceId' | 'spanId' | 'name' | 'kind'> & {
        parentSpanId?: string;
        status?: { code?: number };
        attributes: KeyValue[];
      })[];
    }[];
  }[];
}

const statusError = 2;

// What the exporter posted, by the OTLP/HTTP JSON encoding.
function exportOf(body: Uint8Array): ExportRequest {
  return JSON.parse(Buffer.from(body).toString()) as ExportRequest;
}

function toObject(attributes: readonly KeyValue[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

/** Every span that was posted to this collector so far. */
export function readSpans({ requests }: Receiver): Span[] {
  return requests
    .filter(({ path }) => path === '/v1/traces')
    .flatMap(({ body }) => exportOf(body).resourceSpans)
    .flatMap(({ resource, scopeSpans }) =>
      scopeSpans.flatMap(({ spans }) =>
        spans.map((span) => ({
          service: String(toObject(resource.attributes)['service.name']),
          traceId: span.traceId,
          spanId: span.spanId,
          parentSpanId: span.parentSpanId || undefined,
          name: span.name,
          kind: span.kind,
          failed: span.status?.code === statusError,
          attributes: toObject(span.attributes),
        })),
      ),
    );
}
