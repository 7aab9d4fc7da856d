import { type Core, openSessionByLink, type SessionAuthenticator, SessionEnded } from '@finhook/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { toDomainError } from '../http/problem.ts';
import type { LogFailedAuth } from './failed-auth-log.ts';
import { sessionCookie } from './session-cookie.ts';

export interface OpenLinkOptions {
  core: Core;
  sessions: Pick<SessionAuthenticator, 'admitLink'>;
  logFailedAuth: LogFailedAuth;
}

const PREFIX = '/dashboard';
/** What a sign-in is called in the log of denials. */
export const signInOperation = 'sessions.open';

/** A hook of the dashboard's pages: it answers where the address holds a one-time link, and lets every other pass. */
export type OpenLink = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>;

/** The link's page is the dashboard's own; only with a link in its address the visit is one for here. */
export function createOpenLink({ core, sessions, logFailedAuth }: OpenLinkOptions): OpenLink {
  return async (request, reply) => {
    const link = linkOf(request);
    if (link === undefined) return undefined;
    try {
      const userAgent = request.headers['user-agent'];
      const visit = { link, userAgent, request: { id: request.id, ip: request.ip } };
      const { token, context } = await openSessionByLink(core, sessions, visit);
      request.caller = context;
      return await reply.header('set-cookie', sessionCookie(token)).redirect(PREFIX, 303);
    } catch (error) {
      if (![401, 403, 404].includes(toDomainError(error).status)) throw error;
      await logFailedAuth(guessOf(error), signInOperation, request);
      return reply.redirect(`${PREFIX}/sign-in?refused=link`, 303);
    }
  };
}

function linkOf({ method, url }: FastifyRequest): string | undefined {
  if (method !== 'GET' || !url.startsWith(`${PREFIX}/sign-in?`)) return undefined;
  return new URL(url, 'http://localhost').searchParams.get('link') ?? undefined;
}

/** A link that is not known, or no more, counts as a key that isn't. */
function guessOf(error: unknown): unknown {
  return toDomainError(error).status === 404 ? new SessionEnded('', false) : error;
}
