import type { ErrorCode, Problem } from '@finhook/contracts';
import { DomainError } from '@finhook/core';
import { TRPCError } from '@trpc/server';
import { CELL_HEADER, cellOfError, challengeOf, ReplayedProblem, toDomainError, toProblem } from '../http/problem.ts';

type TrpcCode = TRPCError['code'];

const codeOfStatus: Readonly<Record<number, TrpcCode>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_SUPPORTED',
  409: 'CONFLICT',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  // tRPC has no code for 421. The HTTP status is that of the problem.
  421: 'PRECONDITION_FAILED',
  422: 'UNPROCESSABLE_CONTENT',
  429: 'TOO_MANY_REQUESTS',
  503: 'SERVICE_UNAVAILABLE',
};

const trpcErrors: Readonly<Partial<Record<TrpcCode, { code: ErrorCode; detail: string }>>> = {
  NOT_FOUND: { code: 'not_found', detail: 'There is no such procedure.' },
  METHOD_NOT_SUPPORTED: { code: 'method_not_allowed', detail: 'Queries are called with GET and mutations with POST.' },
  PARSE_ERROR: { code: 'malformed_json', detail: 'The input is not valid JSON.' },
  BAD_REQUEST: { code: 'malformed_body', detail: 'The request is not a tRPC call.' },
  UNSUPPORTED_MEDIA_TYPE: { code: 'unsupported_media_type', detail: 'The body must be application/json.' },
};

export function toTrpcError(error: unknown): TRPCError {
  if (error instanceof TRPCError) return error;
  const cause = error instanceof ReplayedProblem ? error : toDomainError(error);
  const status = cause instanceof ReplayedProblem ? cause.problem.status : cause.status;
  return new TRPCError({ code: codeOfStatus[status] ?? 'INTERNAL_SERVER_ERROR', message: cause.message, cause });
}

export function problemOf(error: TRPCError, request: { id: string; path: string }): Problem {
  const { cause } = error;
  return cause instanceof ReplayedProblem ? cause.problem : toProblem(domainErrorOf(error), request);
}

export function codeOf(error: TRPCError): ErrorCode {
  return error.cause instanceof ReplayedProblem ? error.cause.problem.code : domainErrorOf(error).code;
}

/** The error of a procedure or of tRPC itself; `internal` for unexpected errors. */
export function domainErrorOf(error: TRPCError): DomainError {
  const { cause } = error;
  if (cause instanceof DomainError) return cause;
  const own = trpcErrors[error.code];
  return own ? new DomainError(own.code, { detail: own.detail, cause: error }) : toDomainError(cause ?? error);
}

/** The headers that errors have over REST too (RFC 9110). */
export function errorHeaders(failed: readonly TRPCError[], type: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { code, cause } of failed) {
    if (code === 'METHOD_NOT_SUPPORTED') headers['allow'] = type === 'query' ? 'GET' : 'POST';
    if (!(cause instanceof DomainError)) continue;
    const challenge = challengeOf(cause);
    if (challenge !== undefined) headers['www-authenticate'] = challenge;
    if (cause.retryAfter !== undefined) headers['retry-after'] = String(cause.retryAfter);
    const cell = cellOfError(cause);
    if (cell !== undefined) headers[CELL_HEADER] = cell;
  }
  return headers;
}
