import { createHash } from 'node:crypto';
import { type ErrorCode, errorPage, errors } from '@finhook/contracts';
import { DomainError } from '@finhook/core';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Html, html } from './html.ts';

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 42rem; margin: 3rem auto; padding: 0 1rem; }
dt { font-weight: 600; margin-top: 1rem; }
dd { margin: 0; }
`;
const styleHash = createHash('sha256').update(style).digest('base64');
const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** The pages that `type` of a problem document points to. They need no key: a 401 has one too. */
export function registerErrorPages(app: FastifyInstance): void {
  app.get('/docs/errors', async (_request, reply) => sendPage(reply, 'Errors', errorList()));
  app.get<{ Params: { code: string } }>('/docs/errors/:code', async ({ params: { code } }, reply) => {
    if (!isErrorCode(code)) throw new DomainError('not_found', { detail: 'No such error. /docs/errors lists them.' });
    return sendPage(reply, errors[code].title, errorDetails(code));
  });
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errors, code);
}

function errorList(): Html {
  const codes = Object.keys(errors).filter(isErrorCode);
  return html`<dl>${codes.map(
    (code) => html`<dt><a href="${errorPage(code)}"><code>${code}</code></a></dt>
<dd>${errors[code].title}</dd>`,
  )}</dl>`;
}

function errorDetails(code: ErrorCode): Html {
  const { status, meaning, action, retryable } = errors[code];
  return html`<p>${inline(meaning)}</p>
<dl>
<dt>Code</dt><dd><code>${code}</code></dd>
<dt>HTTP status</dt><dd>${status}</dd>
<dt>What to do</dt><dd>${inline(action)}</dd>
<dt>Retryable</dt><dd>${retryable ? 'Yes: the same request may succeed later.' : 'No: the same request fails again.'}</dd>
</dl>`;
}

function inline(text: string): Html[] {
  return text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}

function sendPage(reply: FastifyReply, title: string, main: Html): FastifyReply {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · finhook</title>
<style>${new Html(style)}</style>
</head>
<body>
<h1>${title}</h1>
${main}
<p><a href="/docs/errors">All errors</a> · <a href="/docs">API reference</a></p>
</body>
</html>
`;
  return reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(page.markup);
}
