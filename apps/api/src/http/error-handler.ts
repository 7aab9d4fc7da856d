import { DomainError } from '@finhook/core';
import type { Logger } from '@finhook/runtime';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { pathOf } from './path-of.ts';
import { challengeOf, ReplayedProblem, toDomainError, toProblem } from './problem.ts';
import { setHeaders } from './response-headers.ts';

export type ErrorHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** The one place that turns an error into a response. */
export function createErrorHandler(logger: Logger): ErrorHandler {
  return (error, request, reply) => {
    if (error instanceof ReplayedProblem) {
      return reply
        .code(error.problem.status)
        .header('idempotency-replayed', 'true')
        .type('application/problem+json')
        .send(JSON.stringify(error.problem));
    }
    const domainError = toDomainError(error instanceof Error ? fromFastify(error) : error);
    logInternal(logger, domainError, request.id);
    const challenge = challengeOf(domainError);
    if (challenge !== undefined && !reply.hasHeader('www-authenticate')) reply.header('www-authenticate', challenge);
    if (domainError.retryAfter !== undefined) reply.header('retry-after', String(domainError.retryAfter));
    const problem = toProblem(domainError, { id: request.id, path: pathOf(request) });
    return reply.code(domainError.status).type('application/problem+json').send(JSON.stringify(problem));
  };
}

/** A path that cannot be decoded or routed reaches neither hook nor handler; it is as unknown as any other. */
export function createRoutingErrorHandler(fail: ErrorHandler) {
  return (_error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    setHeaders(request, reply);
    fail(new DomainError('not_found', { detail: 'There is nothing at this path.' }), request, reply);
  };
}

/** Logs errors of the service itself (5xx). */
export function logInternal(logger: Logger, error: unknown, requestId: string): void {
  const domainError = toDomainError(error);
  if (domainError.status >= 500)
    logger.error({ request_id: requestId, err: domainError.cause ?? error }, domainError.code);
}

/** Fastify's own errors, in this service's codes. */
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
