import { type HttpRoute, isRecord, type Operation } from '@finhook/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { authorize } from '../auth/authorize.ts';
import { acquireUntilClosed, callerOf, type IdentifyCaller, type ReadCaller, receiveBody } from '../auth/caller.ts';
import type { RateLimits } from '../auth/rate-limits.ts';
import { type JsonBody, receivedBody } from '../http/read-body.ts';
import { assertAcceptable, idempotencyOf, pathOf } from '../http/request.ts';
import { sendTagged } from '../http/response-headers.ts';
import { deprecationHeaders } from '../operations/deprecation.ts';
import { invoke } from '../operations/invoke.ts';
import { type ExportFormat, exportColumns, exportTypes, formatsOf } from '../operations/list-exports.ts';
import type { TableEntry } from '../operations/operation-table.ts';
import { beginExport, readFormat } from './exports/begin-export.ts';
import { openList } from './exports/read-list.ts';
import { openSpreadsheet } from './exports/spreadsheet.ts';
import { createBodyReader, createQueryReader } from './request-input.ts';

export interface RestOptions {
  table: readonly TableEntry[];
  identify: IdentifyCaller;
  limits: Pick<RateLimits, 'acquire' | 'receive'>;
  readCaller: ReadCaller;
  bodyLimit: number;
  onError: (error: unknown, requestId: string) => void;
}

const JSON_TYPE = 'application/json';
const EMPTY: JsonBody = { bytes: new Uint8Array(), value: {}, inexact: [] };

export function registerRestRoutes(app: FastifyInstance, options: RestOptions): void {
  const { table, identify, limits, bodyLimit } = options;
  const largeBodies = new Map(table.map(({ operation }) => [operation.id, operation.bodyLimit]));
  app.addContentTypeParser('*', async (request: FastifyRequest) =>
    receiveBody(request, limits, largeBodies.get(request.routeOptions.config.operation ?? '') ?? bodyLimit),
  );
  for (const entry of table) {
    const { operation, denials } = entry;
    const checkAccept = createAcceptCheck(operation);
    for (const route of [operation.http, ...(operation.http.aliases ?? [])]) {
      const handle = createHandler(entry, route, options);
      app.route({
        method: route.method,
        url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
        config: { operation: operation.id },
        // Authenticates and authorizes before the body is read.
        onRequest: async (request, reply) => {
          reply.headers(deprecationHeaders(operation, {}));
          authorize(operation, await identify(request, reply, operation.id), denials);
          checkAccept(request);
        },
        handler: async (request, reply) => {
          const release = await acquireUntilClosed(limits, callerOf(request).accountId, reply);
          return handle(request, reply).finally(release);
        },
      });
    }
  }
}

type ExportOptions = Pick<RestOptions, 'readCaller' | 'onError' | 'table'>;

function createHandler(entry: TableEntry, route: HttpRoute, options: ExportOptions) {
  const { operation } = entry;
  const readQuery = createQueryReader(operation, route);
  const readFields = createBodyReader(operation, route);
  const statusOf = statusFunction(operation, route);
  const isExported = exportColumns(operation) !== undefined;
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const body = receivedBody(request) ?? EMPTY;
    const query = readQuery(request.query);
    if (operation.deprecatedFields) {
      const sent = { ...(isRecord(body.value) ? body.value : {}), ...query };
      reply.headers(deprecationHeaders(operation, sent));
    }
    if (isExported) {
      const { format: asked, ...filters } = query;
      delete query['format'];
      const format = readFormat(operation, asked, filters);
      if (format) return exportList(entry, { ...filters, ...paramsOf(request) }, format, reply, options);
    }
    const { value, inexact, warnings } = readFields(body);
    const path = pathOf(request);
    const input = {
      value: isRecord(value) ? { ...value, ...query, ...paramsOf(request) } : value,
      inexact,
      warnings,
      fingerprint: () => [route.method, path, request.url.slice(path.length + 1), body.bytes],
    };
    const output = await invoke(entry, () => input, { context: callerOf(request), path, ...idempotencyOf(reply) });
    const status = statusOf(output);
    reply.code(status);
    if (operation.etag) return sendTagged(request, reply.header('vary', 'authorization'), JSON.stringify(output));
    return status === 204 ? undefined : output;
  };
}

function createAcceptCheck(operation: Operation): (request: FastifyRequest) => void {
  const formats = exportColumns(operation) ? formatsOf(operation) : [];
  const types = new Map<string, string>(formats.map((format) => [format, exportTypes[format]]));
  const available = [JSON_TYPE, ...[...types].map(([format, type]) => `${type} (format=${format})`)];
  return ({ headers, query }) => {
    const format = isRecord(query) ? query['format'] : undefined;
    const served = typeof format === 'string' ? types.get(format) : undefined;
    assertAcceptable(headers.accept, served ?? JSON_TYPE, available);
  };
}

async function exportList(
  entry: TableEntry,
  filters: Record<string, unknown>,
  format: ExportFormat,
  reply: FastifyReply,
  { readCaller, onError, table }: ExportOptions,
): Promise<unknown> {
  const { request } = reply;
  // Before anything else is read, because it rejects invalid filters.
  const list = openList(entry, filters, () => readCaller(request));
  return beginExport(reply, {
    operation: entry.operation,
    format,
    list,
    spreadsheet:
      format === 'spreadsheet' ? await openSpreadsheet(table, filters, await readCaller(request)) : undefined,
    now: callerOf(request).clock.now(),
    onError: (error) => onError(error, request.id),
  });
}

function statusFunction(operation: Operation, route: HttpRoute): (output: unknown) => number {
  const { status } = operation.http;
  if (!status || route !== operation.http) return () => route.success;
  return (output) => status(outputOf(output));
}

// Each operation's status function takes its own output.
function outputOf(output: unknown): never {
  return output as never;
}

function paramsOf(request: FastifyRequest): Record<string, unknown> {
  return isRecord(request.params) ? request.params : {};
}
