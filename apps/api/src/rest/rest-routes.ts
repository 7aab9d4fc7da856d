import type { HttpRoute, Operation } from '@finhook/contracts';
import type { Context } from '@finhook/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { acquireCounted, acquireUntilClosed, callerOf, type IdentifyCaller, type ReadCaller } from '../auth/caller.ts';
import type { RateLimits } from '../auth/rate-limits.ts';
import { isRecord, type JsonBody, receivedBody, receiveJson } from '../http/read-body.ts';
import { assertAcceptable, pathOf } from '../http/request.ts';
import { sendTagged } from '../http/response-headers.ts';
import { deprecationHeaders } from '../operations/deprecation.ts';
import { exportTypes } from '../operations/list-exports.ts';
import type { TableEntry } from '../operations/operation-table.ts';
import { beginExport, readFormat } from './exports/begin-export.ts';
import { createBodyReader, createQueryReader } from './request-input.ts';

export interface RestOptions {
  table: readonly TableEntry[];
  identify: IdentifyCaller;
  limits: Pick<RateLimits, 'acquire' | 'receive'>;
  /** Authenticates again during an export; throws once the key or session is no longer valid. */
  readCaller: ReadCaller;
  bodyLimit: number;
  onError: (error: unknown, requestId: string) => void;
}

const JSON_TYPE = 'application/json';
const EMPTY: JsonBody = { bytes: new Uint8Array(), value: {}, inexact: [] };

export function registerRestRoutes(app: FastifyInstance, options: RestOptions): void {
  const { table, identify, limits, bodyLimit } = options;
  const callers = new WeakMap<FastifyRequest, Context>();
  const largeBodies = new Map(table.map(({ operation }) => [operation.id, operation.bodyLimit]));
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: FastifyRequest['raw']) =>
    receiveJson(payload, {
      receive: () => acquireCounted(request, () => limits.receive(callerOf(callers, request).accountId)),
      bodyLimit: largeBodies.get(request.routeOptions.config.operation ?? '') ?? bodyLimit,
    }),
  );
  for (const entry of table) {
    for (const route of [entry.operation.http, ...(entry.operation.http.aliases ?? [])]) {
      const checkAccept = createAcceptCheck(entry);
      const handle = createHandler(entry, route, { ...options, callerOf: (request) => callerOf(callers, request) });
      app.route({
        method: route.method,
        url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
        config: { operation: entry.operation.id },
        // Authenticates and authorizes before the body is read.
        onRequest: async (request, reply) => {
          reply.headers(deprecationHeaders(entry.operation, {}));
          const context = await identify(request, reply, entry.operation.id);
          entry.authorize(context);
          checkAccept(request);
          callers.set(request, context);
        },
        handler: async (request, reply) => {
          const release = await acquireUntilClosed(limits, callerOf(callers, request).accountId, reply);
          return handle(request, reply).finally(release);
        },
      });
    }
  }
}

interface HandlerOptions extends Pick<RestOptions, 'readCaller' | 'onError'> {
  callerOf: (request: FastifyRequest) => Context;
}

function createHandler(entry: TableEntry, route: HttpRoute, options: HandlerOptions) {
  const { operation, run } = entry;
  const beginExportOf = createExportStart(entry, options);
  const readQuery = createQueryReader(operation, route);
  const readFields = createBodyReader(operation, route);
  const statusOf = statusFunction(operation, route);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const body = receivedBody(request) ?? EMPTY;
    const query = readQuery(request.query);
    if (operation.deprecatedFields) {
      const sent = { ...(isRecord(body.value) ? body.value : {}), ...query };
      reply.headers(deprecationHeaders(operation, sent));
    }
    const exported = await beginExportOf?.(request, reply, query);
    if (exported !== undefined) return exported;
    const { value, inexact, warnings } = readFields(body);
    const raw = isRecord(value) ? { ...value, ...query, ...paramsOf(request) } : value;
    const path = pathOf(request);
    const { output, replayed } = await run({
      raw,
      inexact,
      warnings,
      context: options.callerOf(request),
      path,
      idempotencyKey: idempotencyKeyOf(request),
      fingerprint: [route.method, path, request.url.slice(path.length + 1), body.bytes],
    });
    if (replayed) reply.header('idempotency-replayed', 'true');
    const status = statusOf(output);
    reply.code(status);
    if (operation.etag) return sendTagged(request, reply.header('vary', 'authorization'), JSON.stringify(output));
    return status === 204 ? undefined : output;
  };
}

function createAcceptCheck({ openList }: TableEntry): (request: FastifyRequest) => void {
  const types = new Map(openList ? Object.entries(exportTypes) : []);
  const available = [JSON_TYPE, ...[...types].map(([format, type]) => `${type} (format=${format})`)];
  return ({ headers, query }) => {
    const format = isRecord(query) ? query['format'] : undefined;
    const served = typeof format === 'string' ? types.get(format) : undefined;
    assertAcceptable(headers.accept, served ?? JSON_TYPE, available);
  };
}

function createExportStart(
  { operation, openList }: TableEntry,
  { callerOf: callerOfRequest, readCaller, onError }: HandlerOptions,
) {
  if (!openList) return undefined;
  return async (request: FastifyRequest, reply: FastifyReply, query: Record<string, unknown>): Promise<unknown> => {
    const { format: asked, ...filters } = query;
    delete query['format'];
    const format = readFormat(asked, filters);
    if (!format) return undefined;
    const list = openList({ ...filters, ...paramsOf(request) }, () => readCaller(request));
    return beginExport(reply, {
      operation,
      format,
      list,
      now: callerOfRequest(request).clock.now(),
      onError: (error) => onError(error, request.id),
    });
  };
}

function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  return Array.isArray(key) ? key.join(',') : key;
}

function statusFunction(operation: Operation, route: HttpRoute): (output: unknown) => number {
  const { status } = operation.http;
  if (!status || route !== operation.http) return () => route.success;
  return (output) => status(outputOf(output));
}

// The table pairs each operation's status function with its own output.
function outputOf(output: unknown): never {
  return output as never;
}

function paramsOf(request: FastifyRequest): Record<string, unknown> {
  return isRecord(request.params) ? request.params : {};
}
