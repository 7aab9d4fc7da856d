import { DomainError } from '@finhook/core';
import type { Logger } from '@finhook/runtime';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isSameOrigin } from '../auth/csrf.ts';
import { html } from '../http/html.ts';
import type { GuessTurns } from './guess-turns.ts';
import type { OperatorSessions } from './operator-sessions.ts';
import { cookieChallenge, opsPath, sendPage } from './page.ts';

export interface SignInOptions {
  readonly sessions: OperatorSessions;
  readonly turns: GuessTurns;
  readonly logger: Logger;
}

const maxFormBytes = 4 * 1024;

export function registerSignInRoutes(scope: FastifyInstance, { sessions, turns, logger }: SignInOptions): void {
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: maxFormBytes },
    (_request, body, done) => done(null, new URLSearchParams(body.toString())),
  );
  scope.get('/sign-in', async (request, reply) => {
    if (await sessions.isOpen(request.headers.cookie)) return reply.redirect(opsPath, 303);
    return sendForm(reply, 200);
  });
  const refuseUnread = ({ ip }: FastifyRequest, reply: FastifyReply): FastifyReply => {
    turns.count(ip, 'unread');
    reply.header('retry-after', '1');
    return sendForm(
      reply,
      429,
      'Too many passwords from your address are waiting to be checked. Try again in a second.',
    );
  };
  scope.post('/sign-in', {
    // Before the body is read.
    onRequest: async (request, reply) => {
      checkConsoleOrigin(request);
      if (!turns.hasRoom(request.ip)) await refuseUnread(request, reply);
    },
    handler: async (request, reply) => {
      const tried = request.body instanceof URLSearchParams ? request.body.get('password') : null;
      const turn = await turns.take(request.ip, closedSignal(reply));
      if (turn === 'full') return refuseUnread(request, reply);
      if (turn === 'gone') return reply.code(408).send();
      const about = { request_id: request.id, ip: request.ip };
      if (sessions.accepts(tried ?? '')) {
        logger.info(about, 'an operator signed in');
        return reply.header('set-cookie', sessions.begin()).redirect(opsPath, 303);
      }
      // The turns limit these lines to one per second and address.
      logger.warn({ ...about, ...turns.count(request.ip, 'rejected') }, 'rejected an operator');
      reply.header('www-authenticate', cookieChallenge);
      return sendForm(reply, 401, 'Incorrect password.');
    },
  });
  scope.post('/sign-out', async (request, reply) => {
    checkConsoleOrigin(request);
    // The cookie is deleted even if the database is down.
    reply.header('set-cookie', sessions.clear());
    await sessions.end(request.headers.cookie);
    return reply.redirect(`${opsPath}/sign-in`, 303);
  });
}

/** Throws `csrf_failed` unless a page of the console sent the request. */
export function checkConsoleOrigin(request: FastifyRequest): void {
  if (isSameOrigin(request)) return;
  const detail = 'The request did not come from a page of the console. Open the console in this browser and try again.';
  throw new DomainError('csrf_failed', { detail, extra: { title: 'The request did not come from the console' } });
}

function closedSignal(reply: FastifyReply): AbortSignal {
  const closed = new AbortController();
  reply.raw.once('close', () => closed.abort());
  return closed.signal;
}

function sendForm(reply: FastifyReply, status: number, problem?: string): FastifyReply {
  const describe = problem !== undefined && html` aria-invalid="true" aria-describedby="problem"`;
  return sendPage(reply, status, {
    title: 'Sign in',
    main: html`${problem !== undefined && html`<p id="problem" class="problem" role="alert">${problem}</p>`}
<form method="post" action="${opsPath}/sign-in" class="stack">
<label for="password">Operator password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required autofocus${describe}>
<button>Sign in</button>
</form>
<p class="note">The password is set by <code>OPS_PASSWORD</code> in the environment of the service.</p>`,
  });
}
