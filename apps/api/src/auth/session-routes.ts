import type { SessionState } from '@finhook/contracts';
import {
  type Authenticator,
  type Core,
  callerContext,
  type DenialLog,
  DomainError,
  endSession,
  getSessionState,
  type OpenedSession,
  openSession,
  openSessionByLink,
  parseJson,
  type SessionAuthenticator,
  SessionEnded,
} from '@finhook/core';
import { maskText } from '@finhook/runtime';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { toDomainError } from '../http/problem.ts';
import { checkContentType, decodeBody, isRecord, readBody } from '../http/read-body.ts';
import { countRequest } from './caller.ts';
import { checkCell } from './cell.ts';
import { checkOwnOrigin, csrfTokenOf } from './csrf.ts';
import type { LogFailedAuth } from './failed-auth-log.ts';
import type { RateLimits } from './rate-limits.ts';
import {
  clearedSessionCookie,
  type ReadSession,
  type RequireSession,
  readSessionCookie,
  sessionCookie,
} from './session-caller.ts';

export interface SessionRoutesOptions {
  core: Core;
  authenticator: Authenticator;
  readSession: ReadSession;
  requireSession: RequireSession;
  limits: RateLimits;
  logFailedAuth: LogFailedAuth;
  denials: DenialLog;
}

const BODY_LIMIT = 4096;

export async function registerSessionRoutes(app: FastifyInstance, options: SessionRoutesOptions): Promise<void> {
  const { readSession, requireSession } = options;
  await app.register(
    async (routes) => {
      routes.addContentTypeParser('*', async (request: FastifyRequest, payload: FastifyRequest['raw']) =>
        parseJson(decodeBody(await readBody(payload, request.headers, BODY_LIMIT))),
      );
      routes.post('/session', {
        onRequest: async (request) => {
          checkOwnOrigin(request);
          // A form of another site can send any other content type without a preflight request.
          checkContentType({ 'content-type': request.headers['content-type'] ?? 'none' });
        },
        handler: async (request, reply) => {
          const opened = await signIn(request, reply, options);
          reply.code(201).header('set-cookie', sessionCookie(opened.token));
          return stateOf(opened);
        },
      });
      routes.get('/session', {
        handler: async (request, reply) => {
          const context = await requireSession(request, reply);
          return stateOf({ context, token: readSessionCookie(request.raw) ?? '' });
        },
      });
      routes.delete('/session', async (request, reply) => {
        await signOut(request, readSession);
        return reply.code(204).header('set-cookie', clearedSessionCookie()).send();
      });
    },
    { prefix: '/dashboard' },
  );
}

async function signIn(
  request: FastifyRequest,
  reply: FastifyReply,
  { core, authenticator, limits, logFailedAuth, denials }: SessionRoutesOptions,
): Promise<OpenedSession> {
  const { id, ip } = request;
  const key = apiKeyOf(request);
  checkCell(core, request, key);
  const principal = await authenticator.authenticate(key, ip).catch(async (error: unknown) => {
    if (toDomainError(error).status < 500) await logFailedAuth(error, signInOperation, request);
    throw error;
  });
  request.caller = principal;
  await countRequest(limits, reply, principal);
  const context = callerContext(core, principal, { request: { id, ip } });
  return openSession(context, userAgentOf(request)).catch((error: unknown) => {
    const { status, code } = toDomainError(error);
    if (status === 403) denials.note({ principal, code, operation: signInOperation, request: context.request });
    throw error;
  });
}

function userAgentOf({ headers }: FastifyRequest): string | undefined {
  const sent = headers['user-agent'];
  return sent === undefined ? undefined : maskText(sent);
}

function apiKeyOf(request: FastifyRequest): string {
  const body = isRecord(request.body) ? request.body['value'] : undefined;
  const key = isRecord(body) ? body['api_key'] : undefined;
  if (typeof key === 'string') return key.trim();
  throw new DomainError('validation_failed', {
    detail: '/api_key must be an API key.',
    fields: [{ pointer: '/api_key', code: key == null ? 'required' : 'invalid_type', message: 'must be an API key' }],
  });
}

async function stateOf({ context, token }: OpenedSession): Promise<SessionState> {
  return { ...(await getSessionState(context)), csrf_token: csrfTokenOf(token) };
}

/** Signing out of an ended session succeeds. */
async function signOut(request: FastifyRequest, readSession: ReadSession): Promise<void> {
  try {
    const context = await readSession(request);
    await endSession(context, isRecord(request.query) && request.query['everywhere'] === 'true');
  } catch (error) {
    if (!(error instanceof SessionEnded)) throw error;
  }
}

export interface OpenLinkOptions {
  core: Core;
  sessions: Pick<SessionAuthenticator, 'admitLink'>;
  logFailedAuth: LogFailedAuth;
}

const PREFIX = '/dashboard';
const signInOperation = 'sessions.open';

export type OpenLink = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>;

export function createOpenLink({ core, sessions, logFailedAuth }: OpenLinkOptions): OpenLink {
  return async (request, reply) => {
    const link = linkOf(request);
    if (link === undefined) return undefined;
    checkCell(core, request, link);
    try {
      const userAgent = userAgentOf(request);
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

/** An unknown or used link counts as a failed authentication. */
function guessOf(error: unknown): unknown {
  return toDomainError(error).status === 404 ? new SessionEnded('', false) : error;
}
