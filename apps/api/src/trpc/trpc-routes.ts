import { maxBatchCalls } from '@finhook/contracts';
import { type Context, DomainError, type ParsedJson, parseJson } from '@finhook/core';
import type { AnyTRPCProcedure, TRPCError } from '@trpc/server';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { checkAccess } from '../auth/authorize.ts';
import { acquireCounted, acquireUntilClosed, callerOf, type IdentifyCaller } from '../auth/caller.ts';
import type { RateLimits } from '../auth/rate-limits.ts';
import { receiveJson } from '../http/read-body.ts';
import { pathOf } from '../http/request.ts';
import { deprecationHeaders } from '../operations/deprecation.ts';
import type { TableEntry } from '../operations/operation-table.ts';
import { callProcedure, errorResponse, type SingleCall } from './call-procedure.ts';
import type { ApiRouter, TrpcContext } from './router.ts';
import { codeOf, errorHeaders, toTrpcError } from './trpc-error.ts';

export interface TrpcOptions {
  table: readonly TableEntry[];
  router: ApiRouter;
  prefix: string;
  identify: IdentifyCaller;
  limits: Pick<RateLimits, 'acquire' | 'receive'>;
  bodyLimit: number;
  onError: (error: TRPCError, requestId: string) => void;
}

const MAX_CALLED = 200;

type Caller = TrpcContext['caller'];

type Body = ParsedJson | { error: unknown };

const NOTHING: ParsedJson = { value: undefined, inexact: [] };

export function registerTrpcRoutes(app: FastifyInstance, options: TrpcOptions): void {
  const { identify, limits, bodyLimit } = options;
  const respond = createResponder(options);
  const rejectBody = createBodyCheck(options.table);
  const largeBodies = new Map(options.table.map(({ operation }) => [operation.id, operation.bodyLimit]));
  const deprecated = options.table.flatMap(({ operation }) => (operation.deprecated ? [operation] : []));
  const callers = new WeakMap<FastifyRequest, Caller>();
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: FastifyRequest['raw']): Promise<Body> => {
    const caller = callerOf(callers, request);
    if ('error' in caller) return caller;
    const rejection = rejectBody(request, caller.context);
    if (rejection) return { error: rejection };
    try {
      const names = namesIn(request);
      const own = names.length === 1 ? largeBodies.get(names[0] ?? '') : undefined;
      const { accountId } = caller.context;
      const receive = (): (() => void) => acquireCounted(request, () => limits.receive(accountId));
      return (await receiveJson(payload, { receive, bodyLimit: own ?? bodyLimit })) ?? NOTHING;
    } catch (error) {
      return { error };
    }
  });
  app.route({
    method: ['GET', 'POST'],
    url: '/:path',
    config: { sessionsWrite: true },
    // Authenticates before the body is read.
    onRequest: async (request, reply) => {
      for (const operation of deprecated) {
        if (namesIn(request).includes(operation.id)) reply.headers(deprecationHeaders(operation, {}));
      }
      const rejection = rejectBatch(request);
      const caller = rejection
        ? { error: rejection }
        : settle(identify(request, reply, calledOf(request), callsOf(request)));
      callers.set(request, await caller);
    },
    handler: async (request, reply) => {
      const caller = callerOf(callers, request);
      // No call of a rejected body is executed: it needs no slot.
      if ('error' in caller || isRejected(bodyOf(request))) return respond(request, reply, caller);
      let release: () => void;
      try {
        release = await acquireUntilClosed(limits, caller.context.accountId, reply, callsOf(request));
      } catch (error) {
        return respond(request, reply, { error });
      }
      return respond(request, reply, caller).finally(release);
    },
  });
}

/** Returns the error of a body that no call may use. It is left unread, and each call fails with its own error. */
function createBodyCheck(table: readonly TableEntry[]) {
  const mutations = new Map(
    table.filter(({ operation }) => operation.http.method !== 'GET').map(({ operation }) => [operation.id, operation]),
  );
  return (request: FastifyRequest, context: Context): unknown => {
    let rejection: unknown = new DomainError('not_found', { detail: 'There is no such procedure.' });
    for (const name of namesIn(request)) {
      const operation = mutations.get(name);
      if (operation === undefined) continue;
      try {
        checkAccess(operation, context);
        return undefined;
      } catch (error) {
        rejection = error;
      }
    }
    return rejection;
  };
}

function createResponder({ router, prefix, onError }: TrpcOptions) {
  return async (request: FastifyRequest, reply: FastifyReply, caller: Caller): Promise<unknown> => {
    const body = request.method === 'POST' ? bodyOf(request) : readInput(request);
    const ctx = contextOf(request, reply, caller, body);
    const tell = (error: TRPCError): void => {
      request.problemCode = codeOf(error);
      onError(error, request.id);
    };
    const send = ({ status, headers, body: text }: ReturnType<typeof errorResponse>): FastifyReply =>
      reply
        .code(status)
        .headers({ ...responseHeaders, ...headers })
        .send(text);
    const rejectAll = (cause: unknown): FastifyReply =>
      send(errorResponse(router, { ...namesOf(request), input: undefined, ctx }, toTrpcError(cause), tell));
    const rejection = rejectBatch(request) ?? wrongCellOf(caller);
    if (rejection) return rejectAll(rejection);
    const call = ctx.isBatch ? undefined : findCall(router, request, body);
    if (call) return send(await callProcedure(router, { ...call, ctx }, tell));
    const early: TRPCError[] = [];
    const response = await fetchRequestHandler({
      endpoint: prefix,
      req: toFetchRequest(request, body),
      router,
      createContext: async () => ctx,
      responseMeta: ({ errors, type }) => ({ headers: errorHeaders(errors, type) }),
      onError: ({ error, ctx: known }) => (known === undefined ? early.push(error) : tell(error)),
    });
    // Requests that tRPC rejects before it creates the context lack the request's id.
    const [first] = early;
    if (first) return rejectAll(first);
    // The streamed response to a batch is buffered and sent with its length.
    response.headers.delete('transfer-encoding');
    reply.code(response.status);
    response.headers.forEach((value, name) => void reply.header(name, value));
    return response.body === null ? '' : response.text();
  };
}

function contextOf(request: FastifyRequest, reply: FastifyReply, caller: Caller, body: Body | undefined): TrpcContext {
  const key = request.headers['idempotency-key'];
  return {
    requestId: request.id,
    caller,
    bodyError: isRejected(body) ? body : undefined,
    idempotencyKey: Array.isArray(key) ? key.join(',') : key,
    onReplay: () => void reply.header('idempotency-replayed', 'true'),
    inexact: body && 'inexact' in body ? body.inexact : [],
    isBatch: isBatch(request),
  };
}

const responseHeaders = { vary: 'trpc-accept, accept', 'content-type': 'application/json' };

/** The procedure of a single valid call; undefined if tRPC's adapter has to handle the request. */
function findCall(
  router: ApiRouter,
  request: FastifyRequest,
  body: Body | undefined,
): Omit<SingleCall, 'ctx'> | undefined {
  const { path, type } = namesOf(request);
  if (isRejected(body) || typeOf(router, path) !== type) return undefined;
  return { path, type, input: body?.value };
}

function namesOf(request: FastifyRequest): Pick<SingleCall, 'path' | 'type'> {
  return { path: calledOf(request), type: request.method === 'POST' ? 'mutation' : 'query' };
}

function typeOf(router: ApiRouter, path: string): string | undefined {
  const procedures: Readonly<Record<string, unknown>> = router._def.procedures;
  const procedure = Object.hasOwn(procedures, path) ? procedures[path] : undefined;
  return isProcedure(procedure) ? procedure._def.type : undefined;
}

function isProcedure(value: unknown): value is AnyTRPCProcedure {
  return typeof value === 'function' && '_def' in value;
}

/** A proxy sends the whole request to the other cell, so a streamed batch must not begin. */
function wrongCellOf(caller: Caller): DomainError | undefined {
  if (!('error' in caller) || !(caller.error instanceof DomainError)) return undefined;
  return caller.error.code === 'wrong_cell' ? caller.error : undefined;
}

async function settle(identified: Promise<Context>): Promise<Caller> {
  try {
    return { context: await identified };
  } catch (error) {
    return { error };
  }
}

function calledOf(request: FastifyRequest): string {
  const path = pathOf(request);
  return path.slice(path.lastIndexOf('/') + 1).slice(0, MAX_CALLED);
}

/** The procedures that tRPC finds in a request: it splits the path after decoding it. */
function namesIn(request: FastifyRequest): string[] {
  const path = urlOf(request).pathname;
  const names = decodeURIComponent(path.slice(path.lastIndexOf('/') + 1));
  return isBatch(request) ? names.split(',') : [names];
}

function callsOf(request: FastifyRequest): number {
  return namesIn(request).length;
}

function rejectBatch(request: FastifyRequest): DomainError | undefined {
  const calls = callsOf(request);
  if (calls > maxBatchCalls) {
    return new DomainError('batch_too_large', {
      detail: `A request may have at most ${maxBatchCalls} calls; this one has ${calls}. None was executed; split it.`,
      extra: { limit: maxBatchCalls, received: calls },
    });
  }
  if (calls === 1 || request.method === 'GET' || request.headers['idempotency-key'] === undefined) return undefined;
  return new DomainError('invalid_idempotency_key', {
    detail: `An Idempotency-Key is for one call; this batch has ${calls}. None was executed; send each in its own request with its own key.`,
  });
}

function isBatch(request: FastifyRequest): boolean {
  return urlOf(request).searchParams.get('batch') === '1';
}

const urls = new WeakMap<FastifyRequest, URL>();

// Must agree with tRPC: otherwise a batch would count as a single call. Cached, because it is used often.
function urlOf(request: FastifyRequest): URL {
  const url = urls.get(request) ?? new URL(request.url, 'http://localhost');
  urls.set(request, url);
  return url;
}

/** Parses the input of a query from the URL by the rules of a body. */
function readInput(request: FastifyRequest): Body | undefined {
  const input = urlOf(request).searchParams.get('input');
  if (!input) return undefined;
  try {
    return parseJson(input);
  } catch (error) {
    return { error };
  }
}

// tRPC calls `json()`; the body was already parsed by this service's parser.
function toFetchRequest(request: FastifyRequest, body: Body | undefined): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(',') : value);
  }
  if (request.method === 'POST') headers.set('content-type', 'application/json');
  const url = new URL(urlOf(request));
  // The procedure reports the error, so tRPC must not parse the same text.
  if (isRejected(body)) url.searchParams.delete('input');
  const value = (body && 'value' in body ? body.value : undefined) ?? {};
  return asFetchRequest({
    // tRPC does not support HEAD; the framework omits the body.
    method: request.method === 'HEAD' ? 'GET' : request.method,
    url: url.href,
    headers,
    signal: new AbortController().signal,
    json: async () => value,
  });
}

// tRPC reads nothing else of a JSON request, and a real Request costs as much as a procedure.
function asFetchRequest(parts: Pick<Request, 'method' | 'url' | 'headers' | 'signal' | 'json'>): Request {
  return parts as Request;
}

function isRejected(body: Body | undefined): body is { error: unknown } {
  return body !== undefined && 'error' in body;
}

// The result of the content type parser above; undefined for an empty body.
function bodyOf(request: FastifyRequest): Body | undefined {
  return request.body as Body | undefined;
}
