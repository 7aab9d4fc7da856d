// Risk: an operation, an event or an error has no page, a link of the documentation leads nowhere, or a page runs or loads code of other origins.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { allEventTypes, deviceLoginOperations, errors, type Operation, operationList } from '@finhook/contracts';
import { serviceVersion } from '@finhook/runtime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { ApiResponse } from './api-client.ts';
import { useApi } from './api-fixture.ts';

const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

// The page where requests are tried, as a build of the dashboard has it.
const folder = mkdtempSync(join(tmpdir(), 'finhook-try-'));
cpSync(fileURLToPath(new URL('../../dashboard/public/try/', import.meta.url)), join(folder, 'try'), {
  recursive: true,
});
writeFileSync(join(folder, 'try/scalar.js'), 'window.Scalar = {};');
writeFileSync(join(folder, 'try/scalar.js.br'), 'compressed');
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const fixture = useApi({ dashboardFolder: folder });

/** Without a key, as everything here works. */
const get = <T = unknown>(path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fixture.client.send<T>(method, path, { key: null, headers });

const { begin, poll } = deviceLoginOperations;
const operations: readonly Operation[] = [...operationList, begin, poll];
const expected = [
  '/docs',
  '/docs/api',
  ...operations.map(({ id }) => `/docs/api/${id}`),
  '/docs/events',
  ...allEventTypes.map((type) => `/docs/events/${type}`),
  '/docs/errors',
  ...Object.keys(errors).map((code) => `/docs/errors/${code}`),
];

/** The pages of llms.txt and the start page. */
let pages: string[];
/** What each of them is at its address with .md. */
const markdown = new Map<string, ApiResponse>();
beforeAll(async () => {
  const { text } = await get('/llms.txt');
  pages = ['/docs', ...[...text.matchAll(/\]\((\S+)\.md\)/g)].map(([, path]) => path ?? '')];
  for (const path of pages) markdown.set(path, await get(`${path}.md`));
}, 60_000);
const markdownOf = (path: string): string => markdown.get(path)?.text ?? '';

function linksOf(html: string): string[] {
  return [...html.matchAll(/\s(?:href|src|action)="([^"]*)"/g)].map(([, url]) => (url ?? '').replaceAll('&amp;', '&'));
}

function idsOf(html: string): Set<string> {
  return new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id ?? ''));
}

test('every operation, event and error has a page, and llms.txt lists them and the guides', async () => {
  expect(pages).toEqual(expect.arrayContaining(expected));
  expect(new Set(pages).size).toBe(pages.length);
  expect(pages.length).toBeGreaterThan(expected.length + 15);
});

test('every link and anchor of every page works, and nothing is loaded from other origins', async () => {
  const html = new Map<string, string>();
  for (const path of [...pages, '/docs/search']) {
    const { status, text, headers } = await get(path);
    expect([path, status, headers['content-type']]).toEqual([path, 200, 'text/html; charset=utf-8']);
    expect(text).not.toMatch(/<style|<script(?![^>]*\ssrc="\/)|<[^>]*\s(?:on[a-z]+|style)=|src="(?!\/)/);
    html.set(path, text);
  }
  const anchors = new Map([...html].map(([path, text]) => [path, idsOf(text)]));
  const missing: string[] = [];
  const elsewhere = new Set<string>();
  for (const [from, text] of html) {
    for (const link of linksOf(text)) {
      if (/^(?:https?:|mailto:)/.test(link)) continue;
      const [path = '', anchor] = link.split('#');
      const ids = anchors.get(path === '' ? from : path);
      if (ids === undefined) elsewhere.add(path);
      else if (anchor !== undefined && !ids.has(anchor)) missing.push(`${from} → ${link}`);
    }
  }
  expect(missing).toEqual([]);
  for (const path of elsewhere) {
    const { status } = await get(path);
    // The dashboard and the console may not be built here.
    expect([path, status]).toEqual([path, /^\/(?:dashboard|docs\/try)/.test(path) ? expect.any(Number) : 200]);
  }
}, 120_000);

test('every page is Markdown at its address with .md, which links to Markdown', async () => {
  for (const [path, { status, text, headers }] of markdown) {
    expect([path, status, headers['content-type']]).toEqual([path, 200, 'text/markdown; charset=utf-8']);
    expect(text.replace(/^<!--.*-->\s*/, '')).toMatch(/^# \S/);
    expect(text).not.toMatch(/\]\(\/docs\/(?!try|search)[\w./-]*(?<!\.md)[)#]|\[object/);
    if (/^\/docs\/(?:api|events|errors)/.test(path)) expect(text).not.toContain('undefined');
  }
  for (const [code, { title, status }] of Object.entries(errors)) {
    for (const part of [title, code, String(status)]) expect(markdownOf(`/docs/errors/${code}`)).toContain(part);
  }
  const everything = await get('/llms-full.txt');
  for (const { summary } of operations) expect(everything.text).toContain(`# ${summary}\n`);
});

test.each(operations)('$id: its page has what a caller needs', ({ id, http, emits, errors: codes, scopes }) => {
  const text = markdownOf(`/docs/api/${id}`);
  expect(text).toContain(`${http.method} /api/v1${http.path}`);
  expect(text).toContain('## Example request');
  for (const scope of scopes) expect(text).toContain(`\`${scope}\``);
  for (const type of emits) expect(text).toContain(`(/docs/events/${type}.md)`);
  for (const code of codes) expect(text).toContain(`(/docs/errors/${code}.md)`);
  for (const [, name] of http.path.matchAll(/\{(\w+)\}/g))
    expect(text).toMatch(new RegExp(`^\\| \`${name}\` \\|`, 'm'));
  expect(text).toContain(http.success === 204 ? '`204`' : '## Example response');
});

test.each(allEventTypes)('%s: its page has the fields, the sample and how to send it', (type) => {
  const text = markdownOf(`/docs/events/${type}`);
  expect(text).toMatch(/^\| `data\.\w+` \|/m);
  expect(text).toContain(`"type": "${type}"`);
  expect(text).toContain(`finhook trigger ${type} `);
  expect(text).toMatch(new RegExp(`"event": ?"${type}"`));
  expect(text).toContain('](/dashboard/settings/webhooks)');
});

test.each(['/docs', '/docs/', '/docs/events', '/docs/search?q=cash', '/docs/assets/site.css', '/llms.txt'])(
  '%s has a policy without inline code or other origins, and no body for HEAD',
  async (path) => {
    const { status, headers } = await get(path);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-security-policy': CSP,
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    const head = await get(path, {}, 'HEAD');
    expect([head.status, head.text]).toEqual([200, '']);
  },
);

test.each(['/docs', '/docs/versions.md', '/docs/search.json', '/llms-full.txt', '/api/v1/openapi/cash.json'])(
  '%s is compressed for clients that accept it, and 304 for those that have it',
  async (path) => {
    const plain = await get(path);
    const zipped = await get(path, { 'accept-encoding': 'gzip' });
    expect([plain.headers.vary, zipped.headers.vary, zipped.headers['content-encoding']]).toEqual([
      'accept-encoding',
      'accept-encoding',
      'gzip',
    ]);
    expect(zipped.headers.etag).not.toBe(plain.headers.etag);
    const again = await get(path, { 'if-none-match': String(plain.headers.etag) });
    expect([again.status, again.text]).toEqual([304, '']);
  },
);

test.each(['/docs/nothing', '/docs/api/cash', '/docs/errors/nothing', '/docs/..%2fmain.ts', '/docs/assets/rank.d.ts'])(
  '%s is not a page and gets 404',
  async (path) => {
    const { status, problem } = await get(path);
    expect([status, problem.code]).toEqual([404, 'not_found']);
  },
);

test.each([
  'alerts',
  'compliance',
  'evidence',
  'generated-clients',
  'lists',
  'missed-events',
  'proxies',
  'sdks',
  'test-and-live',
])('/docs/%s, an address of version 0.2.0, redirects to the page with its content', async (name) => {
  const { status, headers } = await get(`/docs/${name}`);
  const [path = '', anchor] = String(headers.location).split('#');
  expect([status, pages]).toEqual([301, expect.arrayContaining([path])]);
  if (anchor !== undefined) expect(idsOf((await get(path)).text)).toContain(anchor);
  expect((await get(`/docs/${name}.md`)).headers.location).toBe(`${path}.md`);
});

describe('the search', () => {
  const found = async (query: string): Promise<string[]> => {
    const { text } = await get(`/docs/search?q=${encodeURIComponent(query)}`);
    return linksOf(text.slice(text.indexOf('class="found"')));
  };

  test.each([
    ['create or update a cash balance', '/docs/api/cash.balances.upsert'],
    ['cash.balances.upsert', '/docs/api/cash.balances.upsert'],
    ['bank.balance.updated', '/docs/events/bank.balance.updated'],
    ['connection_owned', '/docs/errors/connection_owned'],
    ['deprecation', '/docs/versions'],
    ['GLOSSARY', '/docs/glossary'],
    ['replay', '/docs/webhook-endpoints'],
    ['verify a signature', '/docs/receiving-webhooks'],
    ['verify a signature', '/docs/api/webhookEndpoints.verifySignature'],
    ['retry schedule', '/docs/receiving-webhooks'],
    ['go sdk install', '/docs/go'],
    ['installing the go sdks', '/docs/go'],
  ])('finds %s near the top', async (query, path) => {
    expect((await found(query)).slice(0, 5).map((url) => url.split('#')[0])).toContain(path);
  });

  test('leads to the section of a guide', async () => {
    expect(await found('operational events')).toContain('/docs/receiving-webhooks#operational-events');
  });

  test('shows the words as text, and says when nothing contains them', async () => {
    const { text } = await get(`/docs/search?q=${encodeURIComponent('<b>xyzzy</b>')}`);
    expect(text).toContain('Nothing contains any of these words: <strong>&lt;b&gt;xyzzy&lt;/b&gt;</strong>');
    expect(text).not.toContain('<b>');
  });

  test('repeated words and those after the eighth change nothing', async () => {
    const words = 'retry delivery endpoint event secret balance key company';
    const once = await found(words);
    expect(once.length).toBeGreaterThan(5);
    expect(await found(`${words} ${'retry '.repeat(20)} runway`)).toEqual(once);
  });

  test('has one index, in which every page is', async () => {
    const { body } = await get<{ url: string; title: string; text: string; kind: string }[]>('/docs/search.json');
    const urls = new Set(body.map(({ url }) => url));
    expect(pages.filter((path) => !urls.has(path))).toEqual([]);
    expect(
      z
        .array(z.strictObject({ title: z.string().min(1), kind: z.string(), url: z.string(), text: z.string() }))
        .safeParse(body).success,
    ).toBe(true);
  });
});

test('an unknown address is a page with links for a browser, and a problem for a program', async () => {
  const page = await get('/docs/nonsense', { accept: 'text/html,*/*' });
  expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  expect(linksOf(page.text)).toEqual(expect.arrayContaining(['/docs', '/docs/api', '/docs/events', '/docs/errors']));
  expect(page.text).toContain('action="/docs/search"');
  expect(page.headers['content-security-policy']).toBe(CSP);
  expect((await get('/docs/nonsense', { accept: '*/*' })).problem.code).toBe('not_found');
  const icon = await get('/favicon.ico');
  expect([icon.status, icon.headers.location]).toEqual([301, '/dashboard/favicon.svg']);
});

describe.each(['/', '/api/v1', '/api/v1/'])('%s', (path) => {
  test.each(['GET', 'HEAD'])('redirects a browser to the documentation, by %s', async (method) => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const { status, headers } = await get(path, { accept }, method);
    expect([status, headers.location, headers.vary]).toEqual([303, '/docs', 'accept']);
  });

  test.each([undefined, '*/*', 'application/json'])('lists the links for a program that accepts %s', async (accept) => {
    const { status, headers, body } = await get(path, accept === undefined ? {} : { accept });
    expect([status, headers.vary, headers['content-type']]).toEqual([200, 'accept', 'application/json; charset=utf-8']);
    expect(body).toEqual({
      name: 'finhook',
      version: serviceVersion(),
      links: {
        docs: '/docs',
        openapi: '/api/v1/openapi.json',
        errors: '/docs/errors',
        dashboard: '/dashboard',
        health: '/healthz',
      },
    });
  });
});

test('every link of the entry and of the console works without a key', async () => {
  const { body } = await get<{ links: Record<string, string> }>('/');
  const { text } = await get('/docs/try');
  const named = [...text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, url]) => url ?? '');
  expect(named).toContain('/dashboard');
  writeFileSync(join(folder, 'index.html'), '<!doctype html>');
  writeFileSync(join(folder, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  for (const path of [...named, ...Object.values(body.links)]) {
    expect([path, (await get(path)).status]).toEqual([path, 200]);
  }
});

test('the console is a page with nothing inline, under a policy that names no other origin', async () => {
  const { status, headers, text } = await get('/docs/try');
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'content-security-policy': CSP.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'"),
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  });
  expect(text).not.toMatch(/<style|<script(?![^>]*\ssrc=)|\son\w+=|https?:/);
});

test.each(['/docs/try/index.html', '/docs/try/other.js', '/docs/try/scalar.js.br', '/docs/try/..%2findex.html'])(
  '%s is not a file of the page and gets 404',
  async (path) => {
    const { status, problem } = await get(path);
    expect([status, problem.code]).toEqual([404, 'not_found']);
  },
);
