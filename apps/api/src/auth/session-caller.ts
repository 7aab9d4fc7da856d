import {
  type Context,
  type Core,
  callerContext,
  DomainError,
  type SessionAuthenticator,
  SessionEnded,
} from '@finhook/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestWatch } from '../http/watch-requests.ts';
import { checkCsrf } from './csrf.ts';
import type { NoteRefusedCaller } from './failed-auth-log.ts';
import { clearedSessionCookie, readSessionCookie } from './session-cookie.ts';

export interface SessionCallerOptions {
  core: Core;
  sessions: Pick<SessionAuthenticator, 'authenticate'>;
  watch: Pick<RequestWatch, 'traceparentOf'>;
}

const HEADER = 'x-session-id';

/**
 * Throws `session_changed` where a page says that it was loaded by another session than the browser's cookie now opens:
 * whoever signed in since then may be of another account, and the page would show both. One that says nothing is let be.
 */
export function checkSession(claimed: string | undefined, sessionId: string | undefined): void {
  if (claimed === undefined || claimed === sessionId) return;
  throw new DomainError('session_changed', {
    detail: 'This browser was signed in anew since the page was loaded. Reload the page.',
  });
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
    request.caller = principal;
    const claimed = request.headers[HEADER];
    checkSession(Array.isArray(claimed) ? claimed.join(',') : claimed, sessionId);
    return callerContext(core, principal, {
      request: { id: request.id, ip: request.ip },
      traceparent: watch.traceparentOf(request),
      sessionId,
    });
  };
}

/** The same for a page that asks who it is, or to be told of changes: tells of cookies that open nothing. */
export type ReadVisitor = (request: FastifyRequest, reply: FastifyReply) => Promise<Context>;

/**
 * Counts and logs cookies that open no session, as every other failed authentication; throws `rate_limited` too then. A
 * browser that has none is only not signed in yet, and one whose cookie is unknown forgets it, or it would count as
 * guessing for as long as its page is open.
 */
export function createVisitorReader(readSession: ReadSession, noteRefused: NoteRefusedCaller): ReadVisitor {
  return async (request, reply) => {
    try {
      return await readSession(request);
    } catch (error) {
      if (error instanceof SessionEnded) {
        if (!error.isKnown) reply.header('set-cookie', clearedSessionCookie());
        await noteRefused(error, request.routeOptions.url ?? '', request);
      }
      throw error;
    }
  };
}
