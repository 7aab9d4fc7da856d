import type { FastifyReply } from 'fastify';
import { type Html, html } from '../http/html.ts';

/** Where the console is. */
export const opsPath = '/ops';

export const sessionCookieName = '__Host-finhook_ops';

/** The scheme of draft-broyer-http-cookie-auth: a cookie that a form sets is the only credential here. */
export const cookieChallenge = `Cookie realm="finhook ops", form-action="${opsPath}/sign-in", cookie-name="${sessionCookieName}"`;

const policy =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; " +
  "base-uri 'none'; frame-ancestors 'none'";

interface Page {
  readonly title: string;
  readonly main: Html;
  /** Shows the navigation and the sign-out button. */
  readonly signedIn?: boolean;
  /** Updates the page in place every few seconds. */
  readonly refreshes?: boolean;
}

/** Answers with a page of the console. */
export function sendPage(
  reply: FastifyReply,
  status: number,
  { title, main, signedIn = false, refreshes = false }: Page,
): FastifyReply {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title} · finhook ops</title>
<link rel="stylesheet" href="${opsPath}/style.css">
${refreshes && html`<script type="module" src="${opsPath}/refresh.js"></script>`}
</head>
<body>
<header>
<p class="brand">finhook ops</p>
${signedIn && navigation}
</header>
<main>
<h1>${title}</h1>
${main}
</main>
</body>
</html>
`;
  return withReferrer(reply)
    .code(status)
    .header('content-security-policy', policy)
    .type('text/html; charset=utf-8')
    .send(page.markup);
}

/** Browsers that have no `Sec-Fetch-Site` send `Origin: null` from a page whose policy is `no-referrer`. */
export function withReferrer(reply: FastifyReply): FastifyReply {
  return reply.header('referrer-policy', 'same-origin');
}

const navigation = html`<nav aria-label="Console">
<a href="${opsPath}">Overview</a>
<a href="${opsPath}/queues">Queues</a>
</nav>
<form method="post" action="${opsPath}/sign-out"><button>Sign out</button></form>`;
