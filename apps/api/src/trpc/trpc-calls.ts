import { isRecord } from '@finhook/contracts';
import { DomainError, type ParsedJson } from '@finhook/core';
import { maskText } from '@finhook/runtime';
import { callTRPCProcedure, TRPCError } from '@trpc/server';
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorHeaders, problemOf } from '../http/problem.ts';
import type { OperationInput } from '../operations/invoke.ts';
import type { TableEntry } from '../operations/operation-table.ts';
import type { ErrorShape } from './app-router.ts';
import type { ApiRouter, CallContext } from './router.ts';

/** A request as tRPC's clients send it. */
export interface TrpcRequest {
  /** Ids of operations; several only in a batch. */
  names: readonly string[];
  isBatch: boolean;
  /** All calls fail with the error. If `isWhole`, the response is a single error. */
  failure?: { error: unknown; isWhole: boolean };
}

/** The input, or the inputs of a batch by their indexes. */
export type TrpcBody = ParsedJson | { error: unknown };

export interface CallOptions {
  router: ApiRouter;
  entries: ReadonlyMap<string, TableEntry>;
  onError: (error: unknown, requestId: string) => void;
}

interface CallResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** JSON. */
  envelope: string;
}

export function noProcedure(): DomainError {
  return new DomainError('not_found', { detail: 'There is no such procedure.' });
}

export function notACall(): DomainError {
  return new DomainError('malformed_body', { detail: 'The request is not a tRPC call.' });
}

/** Errors become responses, also that of a result which is not JSON. */
export function executeCalls(
  { names, isBatch, failure }: TrpcRequest,
  body: TrpcBody,
  reply: FastifyReply,
  { router, entries, onError }: CallOptions,
): Promise<CallResponse[]> {
  const { request } = reply;
  const execute = async (name: string, index: number): Promise<CallResponse> => {
    try {
      const entry = entries.get(name);
      if (!entry) throw noProcedure();
      checkMethod(entry, request);
      if (failure) throw failure.error;
      const call = { router, path: name, type: typeOf(request), batchIndex: index, signal: undefined };
      const ctx: CallContext = { reply, readInput: () => inputOf(body, isBatch ? index : undefined) };
      const data: unknown = await callTRPCProcedure({ ...call, ctx, getRawInput: readNothing });
      return { status: 200, headers: {}, envelope: JSON.stringify({ result: { data } }) };
    } catch (error) {
      const cause = error instanceof TRPCError ? (error.cause ?? error) : error;
      return toErrorResponse(cause, name, reply, onError);
    }
  };
  return Promise.all(names.map(execute));
}

function typeOf({ method }: FastifyRequest): 'query' | 'mutation' {
  return method === 'POST' ? 'mutation' : 'query';
}

const readNothing = async (): Promise<undefined> => undefined;

function checkMethod({ operation }: TableEntry, { method }: FastifyRequest): void {
  if ((operation.http.method === 'GET') !== (method === 'POST')) return;
  throw new DomainError('method_not_allowed', { detail: 'Queries are called with GET and mutations with POST.' });
}

function inputOf(body: TrpcBody, index: number | undefined): OperationInput {
  if ('error' in body) throw body.error;
  const { value, inexact } = index === undefined ? body : inputAt(body, index);
  const sent = value ?? {};
  return { value: sent, inexact, fingerprint: () => ['trpc', JSON.stringify(sent)] };
}

/** Errors without a pointer concern each call. */
function inputAt({ value, inexact }: ParsedJson, index: number): ParsedJson {
  const inputs = value ?? {};
  if (!isRecord(inputs)) throw notACall();
  const start = `/${index}`;
  return {
    value: inputs[index],
    inexact: inexact
      .filter(({ pointer }) => pointer === '' || pointer === start || pointer.startsWith(`${start}/`))
      .map((error) => ({ ...error, pointer: error.pointer.slice(start.length) })),
  };
}

const codeOfStatus: Readonly<Record<number, TRPCError['code']>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_SUPPORTED',
  409: 'CONFLICT',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  // tRPC has no code for 421.
  421: 'PRECONDITION_FAILED',
  422: 'UNPROCESSABLE_CONTENT',
  429: 'TOO_MANY_REQUESTS',
  503: 'SERVICE_UNAVAILABLE',
};

export function toErrorResponse(
  cause: unknown,
  name: string,
  reply: FastifyReply,
  onError: CallOptions['onError'],
): CallResponse {
  const { request } = reply;
  const problem = problemOf(cause, { id: request.id, path: `/trpc/${name}` });
  const { status } = problem;
  request.problemCode = problem.code;
  onError(cause, request.id);
  const code = codeOfStatus[status] ?? 'INTERNAL_SERVER_ERROR';
  const error: ErrorShape = {
    code: TRPC_ERROR_CODES_BY_KEY[code],
    message: problem.detail,
    data: { code, httpStatus: status, path: maskText(name), problem },
  };
  const allow = { allow: request.method === 'POST' ? 'GET' : 'POST' };
  const headers = { ...errorHeaders(cause), ...(status === 405 && allow) };
  return { status, headers, envelope: JSON.stringify({ error }) };
}

const MULTI_STATUS = 207;

/** A batch gets an array, and 207 if the statuses differ. */
export function sendResponses(reply: FastifyReply, responses: readonly CallResponse[], isBatch: boolean): FastifyReply {
  reply.headers({ vary: 'trpc-accept, accept', 'content-type': 'application/json' });
  const envelopes = responses.map(({ envelope }) => envelope);
  if (isBatch && acceptsLines(reply.request)) return reply.send(toLines(envelopes));
  for (const { headers } of responses) reply.headers(headers);
  const [status = 200, ...others] = new Set(responses.map((response) => response.status));
  reply.code(others.length === 0 ? status : MULTI_STATUS);
  return reply.send(isBatch ? `[${envelopes.join()}]` : envelopes[0]);
}

/** True for clients with `httpBatchStreamLink`. */
function acceptsLines({ headers }: FastifyRequest): boolean {
  const accepted = headers['trpc-accept'] ?? headers.accept ?? '';
  return [accepted].flat().some((text) => text.split(',').some((type) => type.trim() === 'application/jsonl'));
}

/** JSON Lines whose first line has all values, because the response is not streamed. */
function toLines(envelopes: readonly string[]): string {
  return `{${envelopes.map((envelope, index) => `"${index}":[[${envelope}]]`).join()}}\n`;
}
