import type { FastifyReply } from 'fastify';
import { type Html, html } from '../http/html.ts';

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
  readonly signedIn?: boolean;
  readonly refreshes?: boolean;
}

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

/** Older browsers send `Origin: null` from a page with the policy `no-referrer`. */
export function withReferrer(reply: FastifyReply): FastifyReply {
  return reply.header('referrer-policy', 'same-origin');
}

const navigation = html`<nav aria-label="Console">
<a href="${opsPath}">Overview</a>
<a href="${opsPath}/queues">Queues</a>
</nav>
<form method="post" action="${opsPath}/sign-out"><button>Sign out</button></form>`;

interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => Html | string;
  readonly isNumber?: boolean;
}

export interface TableOptions<Row> {
  readonly id: string;
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
}

export function table<Row>({ id, caption, columns, rows }: TableOptions<Row>): Html {
  return html`<div class="scroll" role="region" aria-labelledby="${id}" tabindex="0">
<table>
<caption id="${id}">${caption}</caption>
<thead><tr>${columns.map(({ head, isNumber }) => html`<th scope="col"${numeric(isNumber)}>${head}</th>`)}</tr></thead>
<tbody>${rows.map(
    (row) => html`
<tr>${columns.map(({ cell, isNumber }, index) =>
      index === 0
        ? html`<th scope="row"${numeric(isNumber)}>${cell(row)}</th>`
        : html`<td${numeric(isNumber)}>${cell(row)}</td>`,
    )}</tr>`,
  )}
</tbody>
</table>
</div>`;
}

function numeric(isNumber = false): Html | false {
  return isNumber && html` class="number"`;
}

/** Followed by "or more" from `limit` on. */
export function formatCount(count: number, limit = Number.POSITIVE_INFINITY): string {
  return `${count.toLocaleString('en-US')}${count >= limit ? ' or more' : ''}`;
}

/** Follows a count that was made among the newest ones only. */
export function formatNewest(counted: number | null): string {
  return counted === null ? '' : ` of the newest ${formatCount(counted)}`;
}

export function formatSpan(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const parts = [
    [Math.floor(whole / 86_400), 'd'],
    [Math.floor(whole / 3_600) % 24, 'h'],
    [Math.floor(whole / 60) % 60, 'min'],
    [whole % 60, 's'],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  if (first === -1) return '0 s';
  const shown = parts.slice(first, first + 2).filter(([count]) => count > 0);
  return shown.map(([count, unit]) => `${count} ${unit}`).join(' ');
}

/** Without the date if it is that of `now`. */
export function formatTime(at: Date, now?: Date): Html {
  const text = at.toISOString();
  const shown = isSameDay(at, now) ? text.slice(11, 19) : `${text.slice(0, 10)} ${text.slice(11, 16)}`;
  return html`<time datetime="${text}">${shown} UTC</time>`;
}

/** To the minute, and without the date if it is that of `now`. */
export function minuteText(at: Date, now: Date): string {
  const text = at.toISOString();
  return `${isSameDay(at, now) ? '' : `${text.slice(0, 10)} `}${text.slice(11, 16)} UTC`;
}

function isSameDay(one: Date, other?: Date): boolean {
  return one.toISOString().slice(0, 10) === other?.toISOString().slice(0, 10);
}

export function secondsBetween(from: Date, to: Date): number {
  return (to.getTime() - from.getTime()) / 1000;
}
