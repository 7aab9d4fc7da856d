import { createHash } from 'node:crypto';
import { type Core, DomainError, openSessionByLink, type SessionAuthenticator, SessionEnded } from '@finhook/core';
import { maskText } from '@finhook/runtime';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Html, html } from '../http/html.ts';
import { toDomainError } from '../http/problem.ts';
import { withPalette } from '../http/style-sheet.ts';
import { checkCell } from './cell.ts';
import { checkOwnOrigin } from './csrf.ts';
import type { LogFailedAuth } from './failed-auth-log.ts';
import { sessionCookie } from './session-caller.ts';

export interface SignInLinkOptions {
  core: Core;
  sessions: Pick<SessionAuthenticator, 'admitLink'>;
  logFailedAuth: LogFailedAuth;
}

const PREFIX = '/dashboard';
const PATH = `${PREFIX}/sign-in`;
const MAX_FORM_BYTES = 1024;

export type ShowLink = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>;

/** Serves a page with a button that posts the link, so that link scanners and other sites do not use it up. */
export function createShowLink({ core }: Pick<SignInLinkOptions, 'core'>): ShowLink {
  return async (request, reply) => {
    const link = request.method === 'GET' ? linkOf(request) : undefined;
    if (link === undefined) return undefined;
    checkDocument(request);
    // With several cells behind one proxy, the 421 names the cell of the link.
    checkCell(core, request, link);
    return reply
      .headers({ 'content-security-policy': policy, 'referrer-policy': 'same-origin' })
      .type('text/html; charset=utf-8')
      .send(page(link));
  };
}

export async function registerLinkRoute(app: FastifyInstance, options: SignInLinkOptions): Promise<void> {
  const { core, sessions, logFailedAuth } = options;
  await app.register(async (routes) => {
    routes.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
      (_request, _body, done) => done(null),
    );
    routes.post(PATH, async (request, reply) => {
      checkOwnOrigin(request);
      const link = linkOf(request) ?? '';
      checkCell(core, request, link);
      try {
        const visit = { link, userAgent: userAgentOf(request), request: { id: request.id, ip: request.ip } };
        const { token, context } = await openSessionByLink(core, sessions, visit);
        request.caller = context;
        return await reply.header('set-cookie', sessionCookie(token)).redirect(PREFIX, 303);
      } catch (error) {
        if (![401, 403, 404].includes(toDomainError(error).status)) throw error;
        await logFailedAuth(guessOf(error), 'sessions.open', request);
        return reply.redirect(`${PATH}?refused=link`, 303);
      }
    });
  });
}

export function userAgentOf({ headers }: FastifyRequest): string | undefined {
  const sent = headers['user-agent'];
  return sent === undefined ? undefined : maskText(sent);
}

function linkOf({ url }: FastifyRequest): string | undefined {
  if (!url.startsWith(`${PATH}?`)) return undefined;
  return new URL(url, 'http://localhost').searchParams.get('link') ?? undefined;
}

/** Throws `csrf_failed` unless the browser loads a page. Browsers without these headers pass. */
function checkDocument({ headers }: FastifyRequest): void {
  const { 'sec-fetch-mode': mode = 'navigate', 'sec-fetch-dest': dest = 'document' } = headers;
  if (mode === 'navigate' && dest === 'document') return;
  throw new DomainError('csrf_failed', { detail: 'Open the sign-in link in a browser window of its own.' });
}

function guessOf(error: unknown): unknown {
  return toDomainError(error).status === 404 ? new SessionEnded('', false) : error;
}

const style =
  withPalette(`body{margin:0;min-height:100vh;display:grid;place-items:center;font:16px/1.5 system-ui,sans-serif;
color:var(--color-text);background:var(--color-page)}main{max-width:26rem;padding:2rem}h1{font-size:1.5rem;margin:0 0 .5rem}
button{font:inherit;font-weight:600;padding:.6rem 1.4rem;border:0;border-radius:.5rem;
color:var(--color-on-accent);background:var(--color-accent);cursor:pointer}
button:focus-visible{outline:3px solid var(--color-accent);outline-offset:2px}`);

const policy =
  `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; img-src 'self'; ` +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

function page(link: string): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Sign in · finhook</title>
<link rel="icon" href="/dashboard/favicon.svg" type="image/svg+xml">
<style>${new Html(style)}</style>
</head>
<body>
<main>
<h1>Sign in to finhook</h1>
<p>This link signs this browser in to the account that it was made for, in place of a session that is open here. Continue
only if you asked for the link: it works once.</p>
<form method="post" action="${PATH}?link=${encodeURIComponent(link)}"><button autofocus>Sign in</button></form>
</main>
</body>
</html>
`.markup;
}
