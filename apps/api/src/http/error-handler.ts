import { DomainError } from '@finhook/core';
import type { Logger } from '@finhook/platform';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { pathOf } from './path-of.ts';
import { challengeOf, ReplayedProblem, toDomainError, toProblem } from './problem.ts';
import { setHeaders } from './response-headers.ts';

export type ErrorHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** The one place that turns an error into an answer. */
export function createErrorHandler(logger: Logger): ErrorHandler {
  return (error, request, reply) => {
    if (error instanceof ReplayedProblem) {
      return reply
        .code(error.problem.status)
        .header('idempotency-replayed', 'true')
        .type('application/problem+json')
        .send(JSON.stringify(error.problem));
    }
    const refusal = toDomainError(error instanceof Error ? fromFastify(error) : error);
    logInternal(logger, refusal, request.id);
    const challenge = challengeOf(refusal);
    if (challenge !== undefined && !reply.hasHeader('www-authenticate')) reply.header('www-authenticate', challenge);
    if (refusal.retryAfter !== undefined) reply.header('retry-after', String(refusal.retryAfter));
    const problem = toProblem(refusal, { id: request.id, path: pathOf(request) });
    return reply.code(refusal.status).type('application/problem+json').send(JSON.stringify(problem));
  };
}

/** A path that cannot be decoded or routed reaches neither hook nor handler; it is as unknown as any other. */
export function createRoutingErrorHandler(fail: ErrorHandler) {
  return (_error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    setHeaders(request, reply);
    fail(new DomainError('not_found', { detail: 'There is nothing at this path.' }), request, reply);
  };
}

/** Logs what is a fault of the service's own. */
export function logInternal(logger: Logger, error: unknown, requestId: string): void {
  const refusal = toDomainError(error);
  if (refusal.status >= 500) logger.error({ request_id: requestId, err: refusal.cause ?? error }, refusal.code);
}

/** Fastify's own refusals, in this service's codes. */
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
