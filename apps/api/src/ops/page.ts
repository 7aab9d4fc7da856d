import type { FastifyReply } from 'fastify';
import { type Html, html } from './html.ts';

/** Where the console is. */
export const opsPath = '/ops';

/** What pages of the console may load: a stylesheet of ours, and nothing that runs. */
const policy = "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

interface Page {
  readonly title: string;
  readonly main: Html;
  /** What operators have at hand who are signed in. */
  readonly signedIn?: boolean;
}

/** Answers with a page of the console. */
export function sendPage(reply: FastifyReply, status: number, { title, main, signedIn = false }: Page): FastifyReply {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title} · finhook ops</title>
<link rel="stylesheet" href="${opsPath}/style.css">
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
