// Risk: whoever opens the service's address learns nothing, or the page where requests are tried runs or loads what is not of this service.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serviceVersion } from '@finhook/runtime';
import { afterAll, describe, expect, test } from 'vitest';
import { useApi } from './api-fixture.ts';

const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
const page = fileURLToPath(new URL('../../dashboard/public/try/', import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'finhook-try-'));
const fixture = useApi({ dashboardFolder: folder });
cpSync(page, join(folder, 'try'), { recursive: true });
writeFileSync(join(folder, 'try/scalar.js'), 'window.Scalar = {};');
writeFileSync(join(folder, 'try/scalar.js.br'), 'compressed');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Without a key, as everything here works, and by the path as it is. */
const get = <T = unknown>(path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fixture.client.send<T>(method, path, { key: null, headers });

describe.each(['/', '/api/v1', '/api/v1/'])('%s', (path) => {
  test.each(['GET', 'HEAD'])('leads a browser to the documentation, by %s', async (method) => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const { status, headers } = await get(path, { accept }, method);
    expect([status, headers.location, headers.vary]).toEqual([303, '/docs', 'accept']);
  });

  test.each([undefined, '*/*', 'application/json'])(
    'tells a program that accepts %s where everything is',
    async (accept) => {
      const { status, headers, body } = await get(path, accept === undefined ? {} : { accept });
      expect([status, headers.vary, headers['content-type']]).toEqual([
        200,
        'accept',
        'application/json; charset=utf-8',
      ]);
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
    },
  );
});

test('every link of the entry and of the console leads somewhere, without a key', async () => {
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
    'content-security-policy': CSP,
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  });
  expect(text).not.toMatch(/<style|<script(?![^>]*\ssrc=)|\son\w+=|https?:/);
});

test.each(['/docs/try/index.html', '/docs/try/other.js', '/docs/try/scalar.js.br', '/docs/try/..%2findex.html'])(
  '%s, which is no file of the page, is not found',
  async (path) => {
    const { status, problem } = await get(path);
    expect([status, problem.code]).toEqual([404, 'not_found']);
  },
);
