import { type Context, type Core, callerContext, DomainError, type SessionAuthenticator } from '@finhook/core';
import type { FastifyRequest } from 'fastify';
import type { RequestWatch } from '../http/watch-requests.ts';
import { checkCsrf } from './csrf.ts';
import { readSessionCookie } from './session-cookie.ts';

export interface SessionCallerOptions {
  core: Core;
  sessions: Pick<SessionAuthenticator, 'authenticate'>;
  watch: Pick<RequestWatch, 'traceparentOf'>;
}

/**
 * The context of the key whose session the request's cookie opens. Throws 401 when there is none or it is over, and
 * `csrf_failed` (403). Counts towards no limit.
 */
export type ReadSession = (request: FastifyRequest) => Promise<Context>;

/** Authenticates requests by their session cookie; an Authorization header is not looked at. */
export function createSessionReader({ core, sessions, watch }: SessionCallerOptions): ReadSession {
  return async (request) => {
    const token = readSessionCookie(request.raw);
    if (token === undefined) throw new DomainError('missing_credentials', { detail: 'Sign in to the dashboard.' });
    checkCsrf(request, token);
    const { principal, sessionId } = await sessions.authenticate(token, request.ip);
    return callerContext(core, principal, {
      request: { id: request.id, ip: request.ip },
      traceparent: watch.traceparentOf(request),
      sessionId,
    });
  };
}
