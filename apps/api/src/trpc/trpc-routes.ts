import { isRecord, maxBatchCalls } from '@finhook/contracts';
import { type Context, DomainError, type ParsedJson, parseJson } from '@finhook/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { checkAccess } from '../auth/authorize.ts';
import { acquireUntilClosed, callerOf, type IdentifyCaller, receiveBody } from '../auth/caller.ts';
import type { RateLimits } from '../auth/rate-limits.ts';
import { pathOf } from '../http/request.ts';
import { deprecationHeaders } from '../operations/deprecation.ts';
import type { TableEntry } from '../operations/operation-table.ts';
import { createRouter } from './router.ts';
import {
  executeCalls,
  noProcedure,
  notACall,
  sendResponses,
  type TrpcBody,
  type TrpcRequest,
  toErrorResponse,
} from './trpc-calls.ts';

export interface TrpcOptions {
  table: readonly TableEntry[];
  identify: IdentifyCaller;
  limits: Pick<RateLimits, 'acquire' | 'receive'>;
  bodyLimit: number;
  onError: (error: unknown, requestId: string) => void;
}

declare module 'fastify' {
  interface FastifyRequest {
    trpc?: TrpcRequest;
  }
}

type Entries = ReadonlyMap<string, TableEntry>;

const MAX_CALLED = 200;
const NOTHING: ParsedJson = { value: undefined, inexact: [] };

/** tRPC's router behind an HTTP adapter of our own (ADR 4: the fetch adapter takes an eighth more CPU time). */
export function registerTrpcRoutes(app: FastifyInstance, { table, identify, limits, bodyLimit, onError }: TrpcOptions) {
  const router = createRouter(table);
  const entries = new Map(table.map((entry) => [entry.operation.id, entry]));
  app.decorateRequest('trpc');
  app.addContentTypeParser('*', async (request: FastifyRequest): Promise<TrpcBody> => {
    const { names, failure } = trpcOf(request);
    if (failure) return failure;
    try {
      checkBody(entries, names, callerOf(request));
      const own = names.length === 1 ? entries.get(names[0] ?? '')?.operation.bodyLimit : undefined;
      return (await receiveBody(request, limits, own ?? bodyLimit)) ?? NOTHING;
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
      const sent = readRequest(request);
      request.trpc = sent;
      for (const name of sent.names) {
        const operation = entries.get(name)?.operation;
        if (operation?.deprecated) reply.headers(deprecationHeaders(operation, {}));
      }
      const error = findBatchError(sent, request);
      if (error) sent.failure = { error, isWhole: true };
      else {
        await identify(request, reply, calledOf(request), sent.names.length).catch(failCalls(sent));
        checkKinds(entries, sent);
      }
    },
    handler: async (request, reply) => {
      const sent = trpcOf(request);
      if (sent.failure?.isWhole) {
        return sendResponses(reply, [toErrorResponse(sent.failure.error, calledOf(request), reply, onError)], false);
      }
      const body = request.method === 'POST' ? (receivedBody(request) ?? NOTHING) : readInput(request);
      const release = await acquireSlots(sent, body, reply, limits);
      return executeCalls(sent, body, reply, { router, entries, onError })
        .then((responses) => sendResponses(reply, responses, sent.isBatch))
        .finally(release);
    },
  });
}

function readRequest({ params, query }: FastifyRequest): TrpcRequest {
  const path = isRecord(params) ? String(params['path']) : '';
  const isBatch = parameterOf(query, 'batch') === '1';
  return { names: isBatch ? path.split(',') : [path], isBatch };
}

function parameterOf(query: unknown, name: string): unknown {
  const value = isRecord(query) ? query[name] : undefined;
  return Array.isArray(value) ? value[0] : value;
}

function trpcOf({ trpc }: FastifyRequest): TrpcRequest {
  if (!trpc) throw new Error('The calls of the request were not read.');
  return trpc;
}

/** A proxy repeats the whole request in the other cell. */
function failCalls(sent: TrpcRequest): (error: unknown) => void {
  return (error) => {
    sent.failure = { error, isWhole: error instanceof DomainError && error.code === 'wrong_cell' };
  };
}

function findBatchError({ names }: TrpcRequest, { method, headers }: FastifyRequest): DomainError | undefined {
  const calls = names.length;
  if (calls > maxBatchCalls) {
    return new DomainError('batch_too_large', {
      detail: `A request may have at most ${maxBatchCalls} calls; this one has ${calls}. None was executed; split it.`,
      extra: { limit: maxBatchCalls, received: calls },
    });
  }
  if (calls > 1 && method === 'POST' && headers['idempotency-key'] !== undefined) {
    return new DomainError('invalid_idempotency_key', {
      detail: `An Idempotency-Key is for one call; this batch has ${calls}. None was executed; send each in its own request with its own key.`,
    });
  }
  return undefined;
}

/** A batch of queries and mutations is rejected as a whole, unless a proxy has to repeat it in another cell. */
function checkKinds(entries: Entries, sent: TrpcRequest): void {
  if (sent.names.length === 1 || sent.failure?.isWhole) return;
  const known = sent.names.flatMap((name) => entries.get(name) ?? []);
  const kinds = new Set(known.map(({ operation }) => operation.http.method === 'GET'));
  if (kinds.size > 1) sent.failure = { error: notACall(), isWhole: true };
}

/** Throws if no call may use the body, which then stays unread. */
function checkBody(entries: Entries, names: readonly string[], context: Context): void {
  let rejection: unknown = noProcedure();
  for (const name of names) {
    const operation = entries.get(name)?.operation;
    if (operation === undefined || operation.http.method === 'GET') continue;
    try {
      checkAccess(operation, context);
      return;
    } catch (error) {
      rejection = error;
    }
  }
  throw rejection;
}

async function acquireSlots(
  sent: TrpcRequest,
  body: TrpcBody,
  reply: FastifyReply,
  limits: Pick<RateLimits, 'acquire'>,
): Promise<() => void> {
  const nothing = (): void => undefined;
  if (sent.failure || 'error' in body) return nothing;
  try {
    return await acquireUntilClosed(limits, callerOf(reply.request).accountId, reply, sent.names.length);
  } catch (error) {
    failCalls(sent)(error);
    return nothing;
  }
}

function calledOf(request: FastifyRequest): string {
  const path = pathOf(request);
  return path.slice(path.lastIndexOf('/') + 1).slice(0, MAX_CALLED);
}

/** The rules for bodies hold for the query too. */
function readInput({ query }: FastifyRequest): TrpcBody {
  const input = parameterOf(query, 'input');
  if (typeof input !== 'string' || input === '') return NOTHING;
  try {
    return parseJson(input);
  } catch (error) {
    return { error };
  }
}

// The content type parser returns this; undefined for an empty body.
function receivedBody({ body }: FastifyRequest): TrpcBody | undefined {
  return body as TrpcBody | undefined;
}
