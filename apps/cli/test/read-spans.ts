import type { Receiver } from '@finhook/testing';

/** A span as exported. */
export interface Span {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  /** By OTLP: 2 server, 3 client. */
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

// A request of the exporter (OTLP/HTTP JSON).
function exportOf(body: Uint8Array): ExportRequest {
  return JSON.parse(Buffer.from(body).toString()) as ExportRequest;
}

function toObject(attributes: readonly KeyValue[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

/** Every exported span so far. */
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
