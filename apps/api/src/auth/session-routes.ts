import { isRecord, type SessionState } from '@finhook/contracts';
import {
  type Authenticator,
  callerContext,
  type DenialLog,
  DomainError,
  endSession,
  getSessionState,
  type OpenedSession,
  openSession,
  SessionEnded,
} from '@finhook/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { toDomainError } from '../http/problem.ts';
import { checkContentType, readSmallBody, receivedBody } from '../http/read-body.ts';
import { countRequest } from './caller.ts';
import { checkCell } from './cell.ts';
import { checkOwnOrigin, csrfTokenOf } from './csrf.ts';
import type { RateLimits } from './rate-limits.ts';
import {
  clearedSessionCookie,
  type ReadSession,
  type RequireSession,
  readSessionCookie,
  sessionCookie,
} from './session-caller.ts';
import { registerLinkRoute, type SignInLinkOptions, userAgentOf } from './sign-in-link.ts';

export interface SessionRoutesOptions extends SignInLinkOptions {
  authenticator: Authenticator;
  readSession: ReadSession;
  requireSession: RequireSession;
  limits: RateLimits;
  denials: DenialLog;
}

const BODY_LIMIT = 4096;
const signInOperation = 'sessions.open';

export async function registerSessionRoutes(app: FastifyInstance, options: SessionRoutesOptions): Promise<void> {
  const { readSession, requireSession } = options;
  await registerLinkRoute(app, options);
  await app.register(
    async (routes) => {
      routes.addContentTypeParser('*', async (request: FastifyRequest) => readSmallBody(request, BODY_LIMIT));
      routes.post('/session', {
        onRequest: async (request) => {
          checkOwnOrigin(request);
          // Another site can send any other content type without a preflight request.
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
  const context = callerContext(core, principal, { request: { id, ip } });
  request.caller = context;
  await countRequest(limits, reply, context);
  return openSession(context, userAgentOf(request)).catch((error: unknown) => {
    const { status, code } = toDomainError(error);
    if (status === 403) denials.note({ principal, code, operation: signInOperation, request: context.request });
    throw error;
  });
}

function apiKeyOf(request: FastifyRequest): string {
  const body = receivedBody(request)?.value;
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

async function signOut(request: FastifyRequest, readSession: ReadSession): Promise<void> {
  try {
    const context = await readSession(request);
    await endSession(context, isRecord(request.query) && request.query['everywhere'] === 'true');
  } catch (error) {
    if (!(error instanceof SessionEnded)) throw error;
  }
}
