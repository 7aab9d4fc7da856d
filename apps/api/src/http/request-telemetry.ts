import { operationList } from '@finhook/contracts';
import type { Context } from '@finhook/core';
import type { Logger, Metrics, TraceSpan, Tracing } from '@finhook/runtime';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pathOf } from './request.ts';
import { setHeaders } from './response-headers.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: string;
    /** `rest` if absent. */
    protocol?: 'mcp';
  }
  interface FastifyRequest {
    called?: McpCalled;
    span?: TraceSpan | undefined;
  }
}

/** The body of an MCP message names the operation, and its response is 200 even if the call fails. */
interface McpCalled {
  operation: string;
  idempotencyKey?: string | undefined;
  status?: number;
}

export interface WatchOptions {
  metrics?: Metrics | undefined;
  tracing?: Tracing | undefined;
  nameOf: NameRequest;
}

const buckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** As reverse proxies log a request whose client closed the connection. */
const CUT_OFF = 499;

/** Records durations by operation and status, and a span per call that continues the `traceparent` of the caller. */
export function watchRequests(app: FastifyInstance, { metrics, tracing, nameOf }: WatchOptions): void {
  const durations = metrics?.histogram(
    {
      name: 'finhook_http_request_duration_seconds',
      help: 'Requests by operation and status, from their headers to the end of the response; 499 was cut off.',
      labels: ['protocol', 'operation', 'status'],
    },
    buckets,
  );
  let inFlight = 0;
  metrics?.gauge(
    { name: 'finhook_requests_in_flight', help: 'Requests without a complete response.', labels: [] },
    () => [{ labels: {}, value: inFlight }],
  );
  app.decorateRequest('called');
  app.decorateRequest('span');
  if (durations === undefined && tracing === undefined) return;
  app.addHook('onRequest', async (request, reply) => {
    const { protocol, operation } = nameOf(request);
    const span = protocol === 'other' ? undefined : tracing?.start(spanOf(request, protocol, operation));
    request.span = span;
    inFlight += 1;
    reply.raw.once('close', () => {
      inFlight -= 1;
      const status = statusOf(reply);
      const called = request.called?.operation ?? operation;
      durations?.observe({ protocol, operation: called, status: String(status) }, reply.elapsedTime / 1000);
      span?.end({ 'http.response.status_code': status }, status >= 500 ? String(status) : undefined);
    });
  });
}

export function statusOf(reply: FastifyReply): number {
  return reply.raw.writableFinished ? reply.raw.statusCode : CUT_OFF;
}

interface RequestName {
  protocol: 'rest' | 'trpc' | 'mcp' | 'other';
  /** Never text from the request: metrics have a label per value. */
  operation: string;
}

export type NameRequest = (request: FastifyRequest) => RequestName;

export function createNaming(trpcPrefix: string): NameRequest {
  const known = new Set(operationList.map(({ id }) => id));
  return (request) => {
    const { config, url = 'unknown' } = request.routeOptions;
    const { protocol = 'rest', operation } = config;
    if (operation !== undefined) return { protocol, operation };
    if (!url.startsWith(`${trpcPrefix}/`)) return { protocol: 'other', operation: url };
    const called = pathOf(request).slice(trpcPrefix.length + 1);
    if (known.has(called)) return { protocol: 'trpc', operation: called };
    return { protocol: 'trpc', operation: called.includes(',') ? 'batch' : 'unknown' };
  };
}

function spanOf(request: FastifyRequest, protocol: string, operation: string) {
  const { traceparent } = request.headers;
  return {
    name: operation,
    kind: 'server',
    parent: typeof traceparent === 'string' ? traceparent : undefined,
    attributes: {
      'finhook.operation': operation,
      'finhook.protocol': protocol,
      'finhook.request.id': request.id,
      'http.request.method': request.method,
      'http.route': request.routeOptions.url ?? '',
    },
  } as const;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Absent without a valid key or session. */
    caller?: Context;
    problemCode?: string;
  }
}

export function logRequests(app: FastifyInstance, logger: Logger): void {
  app.decorateRequest('caller');
  app.decorateRequest('problemCode');
  app.addHook('onRequest', async (request, reply) => {
    setHeaders(request, reply);
    // `onResponse` does not run for a response that was cut off.
    reply.raw.once('close', () => {
      if (reply.raw.writableFinished) return;
      logger[levelOf(request)]({ ...outlineOf(request, reply), cut_off: true }, 'request');
    });
  });
  app.addHook('onResponse', async (request, reply) => logger[levelOf(request)](outlineOf(request, reply), 'request'));
}

function levelOf(request: FastifyRequest): 'debug' | 'info' {
  return request.routeOptions.config.quiet === true ? 'debug' : 'info';
}

function outlineOf(request: FastifyRequest, reply: FastifyReply): Record<string, unknown> {
  return {
    request_id: request.id,
    method: request.method,
    path: pathOf(request),
    account_id: request.caller?.accountId,
    key_id: request.caller?.keyId,
    status: reply.statusCode,
    code: request.problemCode,
    duration_ms: Math.round(reply.elapsedTime * 10) / 10,
    trace_id: request.span?.traceId,
  };
}
