import type { IncomingMessage } from 'node:http';
import {
  type Context,
  type Core,
  callerContext,
  DomainError,
  type SessionAuthenticator,
  SessionEnded,
} from '@finhook/core';
import { parseCookie, type SetCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestWatch } from '../http/request-telemetry.ts';
import { checkCsrf } from './csrf.ts';
import type { LogFailedAuth } from './failed-auth-log.ts';

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
    detail: 'Another session was opened in this browser after the page was loaded. Reload the page.',
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

/** `ReadSession` for the session route and the stream, with failed authentications counted. */
export type RequireSession = (request: FastifyRequest, reply: FastifyReply) => Promise<Context>;

/**
 * Counts and logs cookies that open no session, as every other failed authentication, and may throw `rate_limited` then.
 * A browser without a cookie is not counted. One whose cookie is unknown is made to forget it, or it would count as
 * guessing for as long as its page is open.
 */
export function createSessionGuard(readSession: ReadSession, logFailedAuth: LogFailedAuth): RequireSession {
  return async (request, reply) => {
    try {
      return await readSession(request);
    } catch (error) {
      if (error instanceof SessionEnded) {
        if (!error.isKnown) reply.header('set-cookie', clearedSessionCookie());
        await logFailedAuth(error, request.routeOptions.url ?? '', request);
      }
      throw error;
    }
  };
}

/** The prefix has browsers refuse it unless it is Secure, of the whole host and without a Domain. */
const NAME = '__Host-finhook_session';
const DAYS_30 = 30 * 86_400;

const attributes = { name: NAME, httpOnly: true, secure: true, sameSite: 'lax', path: '/' } as const;

/** The token of the session's cookie, if the request has one. */
export function readSessionCookie({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  return headers.cookie === undefined ? undefined : parseCookie(headers.cookie)[NAME];
}

/** `Set-Cookie` of a new session. The browser keeps it as long as a session can last; the service ends it earlier. */
export function sessionCookie(token: string): string {
  return stringify({ ...attributes, value: token, maxAge: DAYS_30 });
}

/** `Set-Cookie` that has the browser forget it. */
export function clearedSessionCookie(): string {
  return stringify({ ...attributes, value: '', maxAge: 0 });
}

function stringify(cookie: SetCookie): string {
  return stringifySetCookie(cookie);
}
