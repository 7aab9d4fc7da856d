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
import { headerOf } from '../http/request.ts';
import { checkCell } from './cell.ts';
import { checkCsrf } from './csrf.ts';
import type { LogFailedAuth } from './failed-auth-log.ts';

export interface SessionCallerOptions {
  core: Core;
  sessions: Pick<SessionAuthenticator, 'authenticate'>;
}

const HEADER = 'x-session-id';

/**
 * Throws `session_changed` if the page was loaded in another session, which may belong to another account. Pages that
 * send no session id are not checked.
 */
export function checkSession(claimed: string | undefined, sessionId: string | undefined): void {
  if (claimed === undefined || claimed === sessionId) return;
  throw new DomainError('session_changed', {
    detail: 'Another session was opened in this browser after the page was loaded. Reload the page.',
  });
}

/** Throws 401 and `csrf_failed` (403). */
export type ReadSession = (request: FastifyRequest) => Promise<Context>;

export function createSessionReader({ core, sessions }: SessionCallerOptions): ReadSession {
  return async (request) => {
    const token = readSessionCookie(request.raw);
    if (token === undefined) throw new DomainError('missing_credentials', { detail: 'Sign in to the dashboard.' });
    checkCell(core, request, token);
    checkCsrf(request, token);
    const { principal, sessionId } = await sessions.authenticate(token, request.ip);
    request.caller = callerContext(core, principal, {
      request: { id: request.id, ip: request.ip },
      traceparent: request.span?.traceparent,
      sessionId,
    });
    checkSession(headerOf(request, HEADER), sessionId);
    return request.caller;
  };
}

export type RequireSession = (request: FastifyRequest, reply: FastifyReply) => Promise<Context>;

/** Clears an unknown cookie, because an open page would keep sending it. */
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

/** Browsers require Secure, Path=/ and no Domain for this prefix. */
const NAME = '__Host-finhook_session';
const DAYS_30 = 30 * 86_400;

const attributes = { name: NAME, httpOnly: true, secure: true, sameSite: 'lax', path: '/' } as const;

export function readSessionCookie({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  return headers.cookie === undefined ? undefined : parseCookie(headers.cookie)[NAME];
}

export function sessionCookie(token: string): string {
  return stringify({ ...attributes, value: token, maxAge: DAYS_30 });
}

export function clearedSessionCookie(): string {
  return stringify({ ...attributes, value: '', maxAge: 0 });
}

function stringify(cookie: SetCookie): string {
  return stringifySetCookie(cookie);
}
