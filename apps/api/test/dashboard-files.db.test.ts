// Risk: the dashboard runs foreign code, a file outside of the build is served, or the build is missing.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { createLogger } from '@finhook/runtime';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApi } from '../src/create-api.ts';
import { useApi } from './api-fixture.ts';

const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
  "manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
const PAGE = '<!doctype html><title>finhook</title>';
const SCRIPT = 'export const answer = 42;\n'.repeat(200);

const fixture = useApi();
let folder: string;
let built: { app: FastifyInstance; url: string };
let unbuilt: { app: FastifyInstance; url: string };
const logLines: string[] = [];

async function listen(dashboardFolder: string) {
  const app = await createApi({
    core: fixture.elsewhere,
    logger: createLogger({ name: 'api', level: 'info', destination: { write: (line) => void logLines.push(line) } }),
    pingQueue: async () => undefined,
    rateLimits: { requests: 0, accountRequests: 0, inFlight: 0, failedAuth: 0 },
    bodyLimit: 2 * 1024 * 1024,
    closeGraceMs: 0,
    dashboardFolder,
  });
  return { app, url: await app.listen({ port: 0, host: '127.0.0.1' }) };
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'finhook-dashboard-'));
  const dist = join(folder, 'dist');
  mkdirSync(join(dist, 'assets'), { recursive: true });
  writeFileSync(join(folder, 'secret.txt'), 'secret');
  writeFileSync(join(dist, '.stamp'), 'hidden');
  writeFileSync(join(dist, 'index.html'), PAGE);
  writeFileSync(join(dist, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  writeFileSync(join(dist, 'assets/app-x1.js'), SCRIPT);
  writeFileSync(join(dist, 'assets/app-x1.js.gz'), gzipSync(SCRIPT));
  writeFileSync(join(dist, 'assets/app-x1.js.br'), brotliCompressSync(SCRIPT));
  writeFileSync(join(dist, 'assets/app-x1.css'), 'body{}');
  [built, unbuilt] = [await listen(dist), await listen(join(folder, 'missing'))];
});
afterAll(async () => {
  await Promise.all([built, unbuilt].map(({ app }) => app.close()));
  rmSync(folder, { recursive: true, force: true });
});

/** Sends the path unchanged; `fetch` would normalize it. */
async function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const { hostname, port } = new URL(built.url);
  const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<typeof read>>>();
  const read = async (response: IncomingMessage) => ({
    status: response.statusCode,
    headers: response.headers,
    body: await buffer(response),
  });
  request(
    { hostname, port, path, headers, method, agent: false },
    (response) => void read(response).then(resolve, reject),
  )
    .on('error', reject)
    .end();
  return promise;
}

describe('the page', () => {
  test.each([
    '/dashboard',
    '/dashboard/',
    '/dashboard/index.html',
    '/dashboard/transactions?q=a',
    '/dashboard/a/b.c/d',
  ])('%s is the page, always revalidated, under a policy without inline code', async (path) => {
    const { status, headers, body } = await get(path);
    expect([status, body.toString()]).toEqual([200, PAGE]);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': CSP,
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
  });

  test('HEAD responds as GET does, without the body', async () => {
    const { status, headers, body } = await get('/dashboard/keys', {}, 'HEAD');
    expect([status, headers['content-length'], body.length]).toEqual([200, String(PAGE.length), 0]);
    expect(headers['content-security-policy']).toBe(CSP);
  });

  test('a cached page gets 304', async () => {
    const { headers } = await get('/dashboard');
    const again = await get('/dashboard', { 'if-none-match': String(headers.etag) });
    expect([again.status, again.body.length]).toEqual([304, 0]);
  });

  test('other paths have the headers of the API', async () => {
    for (const path of ['/healthz', '/api/v1/companies', '/nothing']) {
      const { headers } = await get(path);
      expect(headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'");
      expect(headers['cache-control']).toBe('no-store');
    }
  });
});

describe('files', () => {
  test.each<[Record<string, string>, number]>([
    [{ range: 'bytes=99999999-' }, 416],
    [{ 'if-match': '"x"' }, 412],
    [{ 'if-unmodified-since': 'Mon, 01 Jan 2001 00:00:00 GMT' }, 412],
  ])('%j, an unmet precondition, is rejected with %i and not logged as an error', async (headers, status) => {
    for (const path of ['/dashboard', '/dashboard/assets/app-x1.js'])
      expect(await get(path, headers)).toMatchObject({ status });
    expect(logLines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });

  test('an asset is cached for a year, and compressed for clients that accept it', async () => {
    const plain = await get('/dashboard/assets/app-x1.js');
    expect([plain.status, plain.body.toString()]).toEqual([200, SCRIPT]);
    expect(plain.headers).toMatchObject({
      'content-type': 'application/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': CSP,
      vary: expect.stringMatching(/accept-encoding/i),
    });
    for (const [accepted, encoding, bytes] of [
      ['gzip, deflate, br', 'br', brotliCompressSync(SCRIPT)],
      ['gzip', 'gzip', gzipSync(SCRIPT)],
    ] as const) {
      const { headers, body } = await get('/dashboard/assets/app-x1.js', { 'accept-encoding': accepted });
      expect(headers).toMatchObject({
        'content-encoding': encoding,
        'content-type': 'application/javascript; charset=utf-8',
      });
      expect(body).toEqual(bytes);
    }
    const small = await get('/dashboard/assets/app-x1.css', { 'accept-encoding': 'gzip, br' });
    expect([small.body.toString(), small.headers['content-encoding']]).toEqual(['body{}', undefined]);
  });

  test('a file without a hash in its name is revalidated', async () => {
    const { status, headers } = await get('/dashboard/favicon.svg');
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([200, 'image/svg+xml', 'no-cache']);
  });

  test.each(['/dashboard/assets/app-old.js', '/dashboard/assets/', '/dashboard/assets'])(
    '%s, a missing file, is a 404 or the page, and never cached',
    async (path) => {
      const { status, headers } = await get(path);
      expect(status).toBe(path === '/dashboard/assets' ? 200 : 404);
      expect(headers['cache-control']).toMatch(/^no-(store|cache)$/);
    },
  );

  test.each([
    '/dashboard/../secret.txt',
    '/dashboard/..%2fsecret.txt',
    '/dashboard/%2e%2e/secret.txt',
    '/dashboard/assets/../../secret.txt',
    '/dashboard/assets/..%2f..%2fsecret.txt',
    '/dashboard/assets/..%5c..%5csecret.txt',
    '/dashboard//etc/passwd',
    '/dashboard/.stamp',
    '/dashboard/%2estamp',
    '/dashboard/assets/app-x1.js%00',
    '/dashboard/%',
  ])('%s reaches nothing outside of the build and nothing hidden', async (path) => {
    const { status, body } = await get(path);
    expect([200, 400, 404]).toContain(status);
    if (status === 200) expect(body.toString()).toBe(PAGE);
    expect(body.toString()).not.toMatch(/secret$|hidden|root:/);
  });

  test('their requests are not logged at the usual level', async () => {
    await get('/dashboard/assets/app-x1.js');
    await get('/nothing-at-all');
    await expect.poll(() => logLines.filter((line) => line.includes('/nothing-at-all'))).toHaveLength(1);
    expect(logLines.filter((line) => line.includes('/dashboard/assets/app-x1.js'))).toEqual([]);
  });
});

test('without a build the service works, and its pages name the command', async () => {
  for (const path of ['/dashboard', '/dashboard/assets/app-x1.js', '/docs/try', '/docs/try/scalar.js']) {
    const response = await fetch(`${unbuilt.url}${path}`);
    expect([response.status, response.headers.get('content-type')]).toEqual([503, 'text/plain; charset=utf-8']);
    expect(await response.text()).toContain('npx -y pnpm@12.21.0 --filter @finhook/dashboard run build');
  }
  expect((await fetch(`${unbuilt.url}/healthz`)).status).toBe(200);
});
