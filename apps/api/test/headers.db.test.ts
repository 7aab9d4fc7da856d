// Risk: an answer can be cached, framed or read by a web page, or cannot be traced to its request.
import { operationList } from '@finhook/contracts';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type ApiFixture, openApiFixture } from './api-fixture.ts';
import { inputFor } from './operation-walk.ts';
import { type Seed, seedTenant } from './seed-tenant.ts';
import type { Answer } from './surface-client.ts';

let fixture: ApiFixture;
let seed: Seed;
let answers: [string, Answer][];

beforeAll(async () => {
  fixture = await openApiFixture(inject('pgUrl'));
  seed = await seedTenant(fixture);
  const { client } = fixture;
  const origin = { headers: { origin: 'https://evil.example' } };
  answers = [];
  for (const operation of operationList.filter(({ id }) => !id.endsWith('.delete'))) {
    const input = inputFor(operation, seed);
    answers.push([operation.id, await client.rest(operation, input, origin)]);
    answers.push([`trpc ${operation.id}`, await client.trpc(operation, input, origin)]);
    answers.push([`401 ${operation.id}`, await client.rest(operation, input, { key: null, ...origin })]);
  }
  const preflight = {
    ...origin.headers,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization',
  };
  answers.push(
    ['404', await client.send('GET', '/api/v1/nothing', origin)],
    ['404 elsewhere', await client.send('GET', '/nothing', origin)],
    ['bad path', await client.send('GET', '/api/v1/%ff', origin)],
    ['405', await client.send('PUT', '/api/v1/companies', origin)],
    ['preflight', await client.send('OPTIONS', '/api/v1/companies', { headers: preflight })],
    ['trpc preflight', await client.send('OPTIONS', '/trpc/me.get', { headers: preflight })],
    ['trpc 404', await client.send('GET', '/trpc/no.such', origin)],
    ['openapi', await client.send('GET', '/api/v1/openapi.json', origin)],
    ['health', await client.send('GET', '/healthz', origin)],
    ['ready', await client.send('GET', '/readyz', origin)],
    ['400', await client.send('POST', '/api/v1/companies', { raw: '{', ...origin })],
  );
});

afterAll(() => fixture.close());

test('D7: every answer has a request id of its own', () => {
  const ids = answers.map(([, { headers }]) => headers['x-request-id']);
  for (const id of ids) expect(id).toMatch(/^req_[0-9a-hjkmnp-tv-z]{26}$/);
  expect(new Set(ids).size).toBe(answers.length);
});

test('D7: a caller’s valid request id comes back beside it, an invalid one does not', async () => {
  const send = (id: string) => fixture.client.send('GET', '/api/v1/me', { headers: { 'x-request-id': id } });
  const answer = await send('job-42.retry_1');
  expect(answer.headers['x-client-request-id']).toBe('job-42.retry_1');
  expect(answer.headers['x-request-id']).toMatch(/^req_/);
  for (const id of ['a b', 'x'.repeat(129), 'a<b>', ''])
    expect((await send(id)).headers['x-client-request-id']).toBeUndefined();
});

test('D17: D59: every answer says its version, is not stored and brings no script to life', () => {
  // Answers with an ETag are kept by their caller, who asks each time whether they still hold.
  const tagged = new Set(operationList.filter(({ etag }) => etag).map(({ id }) => id));
  for (const [name, { headers }] of answers) {
    expect(headers, name).toMatchObject({
      'x-api-version': expect.stringMatching(/^1\.\d+$/),
      'cache-control': tagged.has(name) ? 'private, no-cache' : 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
    expect(headers, name).not.toHaveProperty('x-powered-by');
    expect(headers, name).not.toHaveProperty('server');
  }
});

test('S37: no answer carries an Access-Control header', () => {
  for (const [name, { headers }] of answers) {
    expect(
      Object.keys(headers).filter((header) => header.startsWith('access-control-')),
      name,
    ).toEqual([]);
  }
});

test('a preflight is refused like any method that a path does not know', () => {
  const preflight = answers.find(([name]) => name === 'preflight')?.[1];
  expect([preflight?.status, preflight?.headers['allow']]).toEqual([405, 'GET, HEAD, POST']);
});

test('HEAD answers like GET without a body', async () => {
  const head = await fixture.client.send('HEAD', '/api/v1/companies');
  expect([head.status, head.text]).toEqual([200, '']);
  expect((await fixture.client.send('HEAD', '/api/v1/companies', { key: null })).status).toBe(401);
});

test.each(['', '/api/v1'])(
  '%s/healthz tells whether the process lives, readyz what it depends on, without a key',
  async (prefix) => {
    expect((await fixture.client.send('GET', `${prefix}/healthz`, { key: null })).body).toEqual({ status: 'ok' });
    const ready = await fixture.client.send('GET', `${prefix}/readyz`, { key: null });
    expect([ready.status, ready.body]).toEqual([200, { status: 'ready', checks: { database: 'ok', queue: 'ok' } }]);
  },
);

test.each([
  '/',
  '/healthz',
  '/readyz',
  '/api/v1/healthz',
  '/api/v1/readyz',
  '/api/v1/openapi.json',
  '/dashboard',
  '/dashboard/webhooks',
  '/dashboard/stream',
])('%s is read only: another method is 405 with Allow', async (path) => {
  const answer = await fixture.client.send('POST', path, { body: {} });
  expect([answer.status, answer.headers['allow']]).toEqual([405, 'GET, HEAD']);
});

test.each([
  ['/dashboard/session', 'DELETE, GET, HEAD, POST'],
  ['/trpc/me.get', 'GET, HEAD, POST'],
])('%s tells its methods to one that it does not know', async (path, allowed) => {
  const answer = await fixture.client.send('PATCH', path, { body: {} });
  expect([answer.status, answer.headers['allow']]).toEqual([405, allowed]);
});
