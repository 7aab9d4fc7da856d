import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { Operation } from '@finhook/contracts';
import { DomainError } from '@finhook/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { setLimitHeaders } from '../auth/caller.ts';
import type { RateLimits } from '../auth/rate-limits.ts';
import { pageHeaders } from '../http/dashboard-files.ts';
import { html } from '../http/html.ts';
import { pathOf, wantsPage } from '../http/request.ts';
import { SharedText } from '../http/response-headers.ts';
import { withPalette } from '../http/style-sheet.ts';
import { createSearch, type SearchEntry } from './assets/rank.js';
import { movedGuide } from './guides.ts';
import { layout } from './layout.ts';
import { ERRORS, EVENTS, OPERATIONS, type Page, plainText, START } from './page.ts';
import { renderMarkdown } from './render-markdown.ts';
import { searchEntries, searchResults } from './search.ts';
import { createSite, type Site } from './site.ts';

const HTML = 'text/html; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';
const TEXT = 'text/plain; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';

const headers = pageHeaders("'self'");

const assets = {
  'site.css': 'text/css; charset=utf-8',
  'site.js': 'text/javascript; charset=utf-8',
  'search.js': 'text/javascript; charset=utf-8',
  'rank.js': 'text/javascript; charset=utf-8',
};

export interface DocsOptions {
  operations: readonly Operation[];
  limits: Pick<RateLimits, 'consumeOfAddress'>;
}

/** Each page is HTML, and Markdown at its address with `.md`. Pages need no key: a 401 has one, too. */
export function registerDocsRoutes(app: FastifyInstance, { operations, limits }: DocsOptions): void {
  const site = createSite(operations);
  const index = createIndex(site);
  const texts = new Map<string, SharedText>();
  for (const page of site.pages.values()) {
    texts.set(page.path, new SharedText(() => htmlOf(site, page), HTML));
    texts.set(`${page.path}.md`, new SharedText(() => markdownOf(site, page), MARKDOWN));
  }
  for (const [name, type] of Object.entries(assets)) {
    const read = (): string => readFileSync(new URL(`assets/${name}`, import.meta.url), 'utf8');
    texts.set(`/docs/assets/${name}`, new SharedText(() => (name === 'site.css' ? withPalette(read()) : read()), type));
  }
  texts.set('/llms.txt', new SharedText(() => programIndex(site), TEXT));
  const serve = (
    url: string,
    handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
  ): void => {
    app.get(url, { config: { quiet: true } }, async (request, reply) => handler(request, reply.headers(headers)));
  };
  const sendText = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const path = pathOf(request).replace(/\/$/, '');
    const text = texts.get(path);
    if (text) return text.send(request, reply);
    const moved = movedGuide(path);
    return moved === undefined ? sendMissing(site, request, reply) : reply.redirect(moved, 301);
  };
  for (const url of [START, `${START}.md`, `${START}/*`, '/llms.txt']) serve(url, sendText);
  serve('/llms-full.txt', async (request, reply) => {
    await setLimitHeaders(reply, limits.consumeOfAddress(request.ip));
    return (await index.everything()).send(request, reply);
  });
  serve('/docs/search.json', async (request, reply) => (await index.json()).send(request, reply));
  serve('/docs/search', async (request, reply) => {
    await setLimitHeaders(reply, limits.consumeOfAddress(request.ip));
    const query = queryOf(request);
    const content = searchResults(await index.search(), query);
    const frame = { title: 'Search', summary: 'Search the documentation.', path: '/docs/search', query, content };
    return reply.type(HTML).header('cache-control', 'no-cache').send(layout(site, frame));
  });
}

function sendMissing(site: Site, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!wantsPage(request)) {
    throw new DomainError('not_found', { detail: 'The documentation has no such page. /docs lists them.' });
  }
  const title = 'This page does not exist';
  const content = html`<h1>${title}</h1>
<p>The documentation has nothing at this address. It may have moved, or the address is mistyped.</p>
<form action="/docs/search" class="missing">
<input type="search" name="q" aria-label="Search the documentation" placeholder="Search" required>
<button>Search</button>
</form>
<ul>
<li><a href="${START}">Contents</a></li>
<li><a href="${OPERATIONS}">API reference</a></li>
<li><a href="${EVENTS}">Events</a></li>
<li><a href="${ERRORS}">Errors</a></li>
</ul>`;
  const frame = { title, summary: 'There is no such page.', path: '', content };
  return reply.code(404).type(HTML).header('vary', 'accept').send(layout(site, frame));
}

function queryOf({ query }: FastifyRequest): string {
  const q: unknown = Reflect.get(Object(query), 'q');
  return typeof q === 'string' ? q.slice(0, 200) : '';
}

function htmlOf(site: Site, page: Page): string {
  const { title, path } = page;
  return layout(site, {
    title,
    path,
    page,
    summary: plainText(page.summary),
    source: `${path}.md`,
    ...renderMarkdown(page.markdown()),
  });
}

/** Links point to Markdown, too. */
function markdownOf({ pages }: Site, page: Page): string {
  return page
    .markdown()
    .replaceAll(/\]\((\/docs[^)#\s]*)/g, (link, path: string) => (pages.has(path) ? `](${path}.md` : link));
}

/** The format of llmstxt.org. */
function programIndex({ pages }: Site): string {
  const [start, ...others] = pages.values();
  const groups = Map.groupBy(others, ({ kind, group = '' }) => (kind === 'Guide' ? group : `${kind}s`));
  const sections = [...groups].map(([name, members]) =>
    [`## ${name}`, ...members.map(({ title, path, summary }) => `- [${title}](${path}.md): ${summary}`)].join('\n'),
  );
  return [`# finhook`, `> ${start?.summary}`, ...sections].join('\n\n');
}

/** Renders all pages, and yields to other requests between two of them. */
function createIndex(site: Site) {
  const ofPages = async <T>(make: (page: Page) => T): Promise<T[]> => {
    const made: T[] = [];
    for (const page of site.pages.values()) {
      made.push(make(page));
      await setImmediate();
    }
    return made;
  };
  const entries = once(async () => (await ofPages(searchEntries)).flat());
  return {
    search: once(async () => createSearch(await entries())),
    json: once(async () => {
      const found: SearchEntry[] = await entries();
      return new SharedText(() => JSON.stringify(found), JSON_TYPE);
    }),
    everything: once(async () => {
      const pages = await ofPages((page) => markdownOf(site, page));
      return new SharedText(() => pages.join('\n\n---\n\n'), TEXT);
    }),
  };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    }));
}
