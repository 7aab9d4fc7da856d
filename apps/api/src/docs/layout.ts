import { Html, html } from '../http/html.ts';
import { tagSlug } from '../rest/openapi/describe-operation.ts';
import { ERRORS, EVENTS, OPERATIONS, operationPath, type Page, START } from './page.ts';
import type { RenderedPage } from './render-markdown.ts';
import type { Site } from './site.ts';

interface Frame {
  title: string;
  summary: string;
  path: string;
  content: Html;
  headings?: RenderedPage['headings'];
  /** Address of the Markdown. */
  source?: string;
  query?: string;
  page?: Page;
}

/** On a narrow screen the navigation is a popover, which needs no script. */
export function layout(site: Site, frame: Frame): string {
  const { title, summary, content, source, query = '' } = frame;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${summary}">
<title>${title === 'finhook' ? 'finhook documentation' : `${title} · finhook`}</title>
<link rel="icon" href="/dashboard/favicon.svg" type="image/svg+xml">
${source !== undefined && html`<link rel="alternate" type="text/markdown" href="${source}">`}
<link rel="stylesheet" href="/docs/assets/site.css">
<script src="/docs/assets/site.js"></script>
<script type="module" src="/docs/assets/search.js"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header>
<button class="menu" type="button" popovertarget="navigation">Menu</button>
<a class="brand" href="${START}">finhook</a>
<form role="search" action="/docs/search">
<input type="search" name="q" value="${query}" placeholder="Search" aria-label="Search the documentation" autocomplete="off">
<ul id="results" role="listbox" aria-label="Results" hidden></ul>
</form>
<a class="dashboard" href="/dashboard">Dashboard</a>
</header>
<div class="columns">
<nav id="navigation" popover aria-label="Documentation">${navigation(site, frame)}</nav>
<main id="main">
${content}
${source !== undefined && html`<footer><a href="${source}">This page as Markdown</a></footer>`}
</main>
${outline(frame)}
</div>
</body>
</html>
`.markup;
}

function navigation({ guides, tags, events }: Site, { path, page }: Frame): Html {
  const link = (href: string, text: string): Html =>
    html`<a href="${href}"${href === path && new Html(' aria-current="page"')}>${text}</a>`;
  const groups = [...Map.groupBy(guides, ({ group = '' }) => group)];
  const eventGroups = [...Map.groupBy(events, ({ group = '' }) => group)];
  return html`${groups.map(
    ([group, members]) => html`<p>${group}</p>
<ul>${members.map((guide) => html`<li>${link(guide.path, guide.title)}</li>`)}</ul>\n`,
  )}
<p>${link(OPERATIONS, 'API')}</p>
<ul>${tags.map(
    ({ name, operations }) =>
      html`<li>${link(`${OPERATIONS}#${tagSlug(name)}`, name)}${
        page?.kind === 'Operation' &&
        page.group === name &&
        html`<ul>${operations.map(({ id, summary }) => html`<li>${link(operationPath(id), summary)}</li>`)}</ul>`
      }</li>\n`,
  )}</ul>
<p>${link(EVENTS, 'Events')}</p>
<ul>${eventGroups.map(
    ([group, members]) =>
      html`<li>${link(`${EVENTS}#${tagSlug(group)}`, group)}${
        page?.kind === 'Event' &&
        page.group === group &&
        html`<ul>${members.map((event) => html`<li>${link(event.path, event.title)}</li>`)}</ul>`
      }</li>\n`,
  )}</ul>
<p>${link(ERRORS, 'Errors')}</p>`;
}

function outline({ headings = [] }: Frame): Html | undefined {
  if (headings.length < 2) return undefined;
  return html`<nav class="outline" aria-label="On this page"><p>On this page</p>
<ul>${headings.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>`;
}
