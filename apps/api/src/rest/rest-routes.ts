import type { FieldError, HttpRoute, Operation } from '@finhook/contracts';
import type { Context } from '@finhook/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IdentifyCaller } from '../http/caller.ts';
import { parseJson } from '../http/parse-json.ts';
import { checkContentType, decodeBody, readBody } from '../http/read-body.ts';
import { isRecord } from '../is-record.ts';
import { checkScope } from '../operations/operation-runner.ts';
import type { TableEntry } from '../operations/operation-table.ts';
import { createQueryReader } from './query-input.ts';

export interface RestOptions {
  table: readonly TableEntry[];
  identify: IdentifyCaller;
  bodyLimit: number;
}

/** A body as it was read: its bytes for the idempotency fingerprint, its value, and numbers that had to be rounded. */
interface Body {
  bytes: Uint8Array;
  value: unknown;
  inexact: readonly FieldError[];
}

const EMPTY: Body = { bytes: new Uint8Array(), value: {}, inexact: [] };

/** The REST surface: every operation at its HTTP routes, below the prefix at which this plugin is registered. */
export function registerRestRoutes(app: FastifyInstance, { table, identify, bodyLimit }: RestOptions): void {
  const callers = new WeakMap<FastifyRequest, Context>();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: FastifyRequest['raw']): Promise<Body> => {
    checkContentType(request.headers);
    const bytes = await readBody(payload, request.headers, bodyLimit);
    if (bytes.length === 0) return EMPTY;
    return { bytes, ...parseJson(decodeBody(bytes)) };
  });
  for (const entry of table) {
    for (const route of [entry.operation.http, ...(entry.operation.http.aliases ?? [])]) {
      const handle = createHandler(entry, route, (request) => callerOf(callers, request));
      app.route({
        method: route.method,
        url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
        // Who calls and what the key may do is settled before a byte of the body is read.
        onRequest: async (request, reply) => {
          const context = await identify(request, reply);
          checkScope(entry.operation, context.scope);
          callers.set(request, context);
        },
        handler: handle,
      });
    }
  }
}

function callerOf(callers: WeakMap<FastifyRequest, Context>, request: FastifyRequest): Context {
  const context = callers.get(request);
  if (!context) throw new Error('The caller was not identified.');
  return context;
}

// What the content type parser above made; a request without a body has none.
function parsedBody(request: FastifyRequest): Body | undefined {
  return request.body as Body | undefined;
}

function createHandler(entry: TableEntry, route: HttpRoute, callerOfRequest: (request: FastifyRequest) => Context) {
  const { operation, run } = entry;
  const readQuery = createQueryReader(operation, route);
  const statusOf = statusFunction(operation, route);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const body = parsedBody(request) ?? EMPTY;
    const query = readQuery(request.query);
    // Path and query stand after the body: a body cannot speak for another company.
    const raw = isRecord(body.value) ? { ...body.value, ...query, ...paramsOf(request) } : body.value;
    const [path = '', search = ''] = request.url.split('?', 2);
    const { output, replayed } = await run({
      raw,
      inexact: body.inexact,
      context: callerOfRequest(request),
      path,
      idempotencyKey: idempotencyKeyOf(request),
      fingerprint: [route.method, path, search, body.bytes],
    });
    if (replayed) reply.header('idempotency-replayed', 'true');
    const status = statusOf(output);
    reply.code(status);
    return status === 204 ? undefined : output;
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
