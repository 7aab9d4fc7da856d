import { type ErrorCode, errorPage, errors, type Problem } from '@finhook/contracts';
import {
  DomainError,
  isAccountFrozen,
  isDatabaseAway,
  isOutcomeUnknown,
  isStatementTimeout,
  MAX_FIELD_ERRORS,
} from '@finhook/core';
import { maskStrings } from '@finhook/runtime';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { pathOf } from './request.ts';
import { setHeaders } from './response-headers.ts';

const UNAVAILABLE_RETRY_SECONDS = 5;
const MOVING_RETRY_SECONDS = 2;

const NOTHING_STORED =
  'The service cannot reach its database right now. Nothing was stored; send the request again shortly.';
const UNKNOWN =
  'The service lost the connection to its database before the commit was confirmed. The changes may or may not have been ' +
  'stored: send the request again with the same Idempotency-Key, or read the records first.';

export function accountMoving(cause?: unknown): DomainError {
  return new DomainError('account_moving', {
    detail: 'The account is being moved to another cell. Nothing was stored; send the request again shortly.',
    retryAfter: MOVING_RETRY_SECONDS,
    cause,
  });
}

export class ReplayedProblem extends Error {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

/** Unexpected errors become `internal`, without their text. */
export function toDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  if (isDatabaseAway(error)) {
    return new DomainError('unavailable', {
      detail: isOutcomeUnknown(error) ? UNKNOWN : NOTHING_STORED,
      retryAfter: UNAVAILABLE_RETRY_SECONDS,
      cause: error,
    });
  }
  if (isAccountFrozen(error)) return accountMoving(error);
  if (isStatementTimeout(error)) {
    return new DomainError('unavailable', {
      detail:
        'The database took too long, and the request was cancelled. Nothing was stored; request less, or send it again.',
      retryAfter: UNAVAILABLE_RETRY_SECONDS,
      cause: error,
    });
  }
  return new DomainError('internal', {
    detail: 'Something went wrong on our side. Send the request again; if it fails again, report the request_id.',
    cause: error,
  });
}

/** Masks secrets in the document, because clients log it. `path` is that of the request, without the query. */
export function toProblem(error: DomainError, request: { id: string; path: string }): Problem {
  const { status, title, retryable } = errors[error.code];
  const fields = error.fields.slice(0, MAX_FIELD_ERRORS);
  return maskStrings({
    type: errorPage(error.code),
    title,
    status,
    detail: error.message,
    instance: request.path,
    code: error.code,
    request_id: request.id,
    retryable: retryable === true,
    ...error.extra,
    ...(fields.length > 0 ? { errors: fields } : {}),
    ...(error.fields.length > MAX_FIELD_ERRORS ? { errors_truncated: true as const } : {}),
  });
}

const BEARER = 'Bearer realm="finhook"';
const badKey: ReadonlySet<ErrorCode> = new Set(['invalid_api_key', 'expired_api_key', 'revoked_api_key']);

/** The `WWW-Authenticate` header (RFC 6750, section 3). */
function challengeOf({ status, code, extra }: DomainError): string | undefined {
  if (code === 'insufficient_scope') return `${BEARER}, error="insufficient_scope"${scopeOf(extra)}`;
  if (status !== 401) return undefined;
  // A request without a key has no token that could be invalid.
  if (!badKey.has(code)) return BEARER;
  return `${BEARER}, error="invalid_token", error_description="${errors[code].title}"`;
}

/** In a 421, the cell to send the request to. A proxy that does so repeats the header. */
export const CELL_HEADER = 'finhook-cell';

function cellOfError({ code, extra }: DomainError): string | undefined {
  const cell = code === 'wrong_cell' ? extra['cell'] : undefined;
  return typeof cell === 'string' ? cell : undefined;
}

function scopeOf({ required, required_permission: permission }: DomainError['extra']): string {
  const needed = Array.isArray(required) ? required.join(' ') : permission;
  return typeof needed === 'string' ? `, scope="${needed}"` : '';
}

/** A replayed problem stays as it was stored. */
export function problemOf(error: unknown, request: { id: string; path: string }): Problem {
  return error instanceof ReplayedProblem ? error.problem : toProblem(toDomainError(error), request);
}

export function errorHeaders(error: unknown): Record<string, string> {
  if (error instanceof ReplayedProblem) return {};
  const domainError = toDomainError(error);
  const challenge = challengeOf(domainError);
  const cell = cellOfError(domainError);
  return {
    ...(challenge !== undefined && { 'www-authenticate': challenge }),
    ...(domainError.retryAfter !== undefined && { 'retry-after': String(domainError.retryAfter) }),
    ...(cell !== undefined && { [CELL_HEADER]: cell }),
  };
}

export type ErrorHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply;

export function createErrorHandler(onError: (error: unknown, requestId: string) => void): ErrorHandler {
  return (thrown, request, reply) => {
    const error = thrown instanceof Error ? fromFastify(thrown) : thrown;
    onError(error, request.id);
    const problem = problemOf(error, { id: request.id, path: pathOf(request) });
    request.problemCode = problem.code;
    for (const [name, value] of Object.entries(errorHeaders(error))) {
      // The console has a challenge of its own.
      if (name !== 'www-authenticate' || !reply.hasHeader(name)) reply.header(name, value);
    }
    return reply.code(problem.status).type('application/problem+json').send(JSON.stringify(problem));
  };
}

export function createRoutingErrorHandler(fail: ErrorHandler) {
  return (_error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    setHeaders(request, reply);
    fail(new DomainError('not_found', { detail: 'There is nothing at this path.' }), request, reply);
  };
}

function fromFastify(error: FastifyError | Error): unknown {
  const code = 'code' in error ? error.code : undefined;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new DomainError('body_too_large', { detail: 'The body is too large.' });
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new DomainError('unsupported_media_type', { detail: 'The body must be application/json.' });
  }
  const status = 'statusCode' in error ? error.statusCode : undefined;
  if (status === 400) return new DomainError('malformed_body', { detail: 'The request cannot be read.', cause: error });
  return error;
}
