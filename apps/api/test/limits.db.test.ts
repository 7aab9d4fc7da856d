// Risk: one caller blocks all others, or a limit locks out innocent callers.
import { randomBytes } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import { operations } from '@finhook/contracts';
import { generateKey } from '@finhook/core';
import { expect, test } from 'vitest';
import type { RateLimitOptions } from '../src/auth/rate-limits.ts';
import { type ApiFixture, type FixtureOptions, useApi, waitForBlocked } from './api-fixture.ts';

const randomToken = (): string => randomBytes(32).toString('base64url');

const base = useApi();
let fixture: ApiFixture;

async function openWith(options: FixtureOptions): Promise<ApiFixture> {
  fixture = await base.openBeside(options);
  return fixture;
}

/** A window longer than any test, and no queue. */
const open = (rateLimits: Partial<RateLimitOptions>): Promise<ApiFixture> =>
  openWith({ rateLimits: { windowSeconds: 600, queueMs: 0, ...rateLimits } });

test('every response has the quota of the key, what is left and when it resets', async () => {
  const { client } = await open({ requests: 5 });
  const first = await client.rest(operations.me.get);
  expect(first.headers).toMatchObject({
    'ratelimit-policy': '"default";q=5;w=600',
    ratelimit: expect.stringMatching(/^"default";r=4;t=(600|5\d\d)$/),
    'x-ratelimit-limit': '5',
    'x-ratelimit-remaining': '4',
    'x-ratelimit-reset': expect.stringMatching(/^(600|5\d\d)$/),
  });
  const notFound = await client.rest(operations.companies.get, { company_id: 'co_x' });
  expect([notFound.status, notFound.headers['x-ratelimit-remaining']]).toEqual([404, '3']);
  const trpc = await client.trpc(operations.me.get);
  expect([trpc.status, trpc.headers['x-ratelimit-remaining']]).toEqual([200, '2']);
});

test('beyond the quota every protocol returns 429 with Retry-After, and other keys are served', async () => {
  const { client, keyOf } = await open({ requests: 1 });
  const otherKey = await keyOf('read');
  for (const rejected of [await client.rest(operations.me.get), await client.trpc(operations.me.get)]) {
    const { status, problem, headers } = rejected;
    expect([status, problem.code, problem.retryable]).toEqual([429, 'rate_limited', true]);
    expect(Number(headers['retry-after'])).toBeGreaterThan(500);
    expect(headers).toMatchObject({
      ratelimit: expect.stringMatching(/^"default";r=0;t=(600|5\d\d)$/),
      'x-ratelimit-remaining': '0',
    });
    expect(problem.request_id).toBe(headers['x-request-id']);
  }
  expect((await client.rest(operations.me.get, {}, { key: otherKey })).status).toBe(200);
});

test('no spelling of a path and no other protocol avoids the limit', async () => {
  const { client, companyId, apiKey } = await open({ requests: 1 });
  await client.rest(operations.me.get);
  const ways = [
    '/api/v1/me',
    `/api/v1/companies/${companyId}`,
    '/api/v1/me?x=1',
    '/trpc/me.get',
    '/trpc/me.get,me.get?batch=1',
  ];
  for (const way of ways) expect([way, (await client.send('GET', way)).status]).toEqual([way, 429]);
  for (const way of [
    '/api/v1/me/',
    '/API/v1/ME',
    '//api/v1/me',
    '/api/v1//me',
    '/api/v1/./me',
    '/api/v1/me;x',
    '/api/v1/%6de',
  ])
    expect([404, 429], way).toContain((await client.send('GET', way)).status);
  for (const scheme of ['bearer', 'BEARER', 'Bearer  ']) {
    const headers = { authorization: `${scheme} ${apiKey}` };
    expect((await client.send('GET', '/api/v1/me', { key: null, headers })).status).toBe(429);
  }
});

test('the public OpenAPI document is limited by address or IPv6 /64', async () => {
  await openWith({
    trustedProxies: ['127.0.0.0/8'],
    rateLimits: { requests: 2, windowSeconds: 600 },
  });
  const { client } = fixture;
  const get = (address: string) =>
    client.send('GET', '/api/v1/openapi.json', { key: null, headers: { 'x-forwarded-for': address } });
  const responses = await Promise.all(['2001:db8:1:2::1', '2001:db8:1:2::2', '2001:db8:1:2:ffff::3'].map(get));
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 200, 429]);
  const rejected = responses.find(({ status }) => status === 429);
  expect(rejected?.problem.detail).toContain('This address may make 2 requests in 600 s');
  expect(rejected?.headers['x-ratelimit-remaining']).toBe('0');
  expect((await get('2001:db8:1:3::1')).status).toBe(200);
  expect((await client.rest(operations.me.get)).status).toBe(200);
});

test('a batch counts as its calls, however it is written', async () => {
  const { client } = await open({ requests: 100 });
  let left = 100;
  for (const [way, calls] of [
    ['/trpc/me.get', 1],
    ['/trpc/me.get?batch=1', 1],
    ['/trpc/me.get,me.get,me.get?batch=1', 3],
    ['/trpc/me.get%2Cme.get%2cme.get?batch=1', 3],
    ['/trpc/me.get,me.get,me.get?x=?&batch=1', 3],
    ['/trpc/me.get,me.get,me.get?%62atch=%31', 3],
  ] as const) {
    const response = await client.send('GET', way);
    expect([way, response.status, [response.body].flat().length]).toEqual([way, 200, calls]);
    left -= calls;
    expect([way, response.headers['x-ratelimit-remaining']]).toEqual([way, String(left)]);
  }
  const mixed = await client.send('GET', '/trpc/me.get,companies.create?batch=1');
  expect([mixed.status, mixed.headers['x-ratelimit-remaining']]).toEqual([400, String(left - 2)]);
});

test('a batch of too many calls is rejected as a whole, with or without a key', async () => {
  const { client } = await open({ requests: 100 });
  const batch = (calls: number): string => `/trpc/${Array(calls).fill('me.get').join()}?batch=1`;
  expect((await client.send('GET', batch(12))).status).toBe(200);
  for (const key of [fixture.apiKey, null]) {
    for (const method of ['GET', 'POST']) {
      const response = await client.send<{ error: { data: object } }>(method, batch(13), { key });
      expect([response.status, response.body.error.data]).toMatchObject([
        413,
        { problem: { code: 'batch_too_large', limit: 12, received: 13, request_id: response.headers['x-request-id'] } },
      ]);
    }
  }
  expect((await client.rest(operations.me.get)).headers['x-ratelimit-remaining']).toBe('87');
});

const unknownCredentials: [string, () => [target: string, headers: OutgoingHttpHeaders, method?: string]][] = [
  ['API key', () => ['/api/v1/me', { authorization: `Bearer ${generateKey('live')}` }]],
  ['session', () => ['/dashboard/session', { cookie: `__Host-finhook_session=${randomToken()}` }]],
  ['sign-in link', () => [`/dashboard/sign-in?link=${randomToken()}`, { 'sec-fetch-site': 'same-origin' }, 'POST']],
];

test.each(unknownCredentials)(
  'a flood of credentials from a throttled address costs few look-ups, and a valid key still works (%s)',
  async (_, unknown) => {
    let lookups = 0;
    await openWith({
      rateLimits: { failedAuth: 3 },
      onQuery: (sql) => void (lookups += /WHERE \w+\.hash = ANY/.test(sql) ? 1 : 0),
    });
    const { client } = fixture;
    const attempts = (count: number) =>
      Array.from({ length: count }, async () => {
        const [target, headers, method = 'GET'] = unknown();
        return (await client.send(method, target, { key: null, headers })).status;
      });
    await Promise.all(attempts(4));
    const before = lookups;
    const [right, ...rejected] = await Promise.all([client.rest(operations.me.get), ...attempts(200)]);
    expect([right.status, new Set(rejected)]).toEqual([200, new Set([429])]);
    expect(lookups - before).toBeLessThan(50);
  },
);

test('each call of a batch takes a slot; a batch of more calls than slots runs alone', async () => {
  const { url, apiKey, client, elsewhere } = await open({ inFlight: 4 });
  const read = (names: readonly string[]) =>
    fetch(`${url}/trpc/${names.join(',')}?batch=1`, { headers: { authorization: `Bearer ${apiKey}` } });
  const [under] = await elsewhere.database.owner.transaction(async (tx) => {
    await tx.query('LOCK TABLE company IN ACCESS EXCLUSIVE MODE', []);
    const batch = read(['me.get', 'companies.list', 'companies.list']);
    await waitForBlocked(fixture, 2);
    expect((await read(['me.get', 'me.get'])).status).toBe(429);
    expect((await client.rest(operations.me.get)).status).toBe(200);
    return [batch];
  });
  expect((await under)?.status).toBe(200);
  expect((await read(Array.from({ length: 12 }, () => 'me.get'))).status).toBe(200);
});

test('a caller that disconnects before it is authenticated holds no slot', async () => {
  const { url, apiKey, client, elsewhere } = await open({ inFlight: 1 });
  await elsewhere.database.owner.transaction(async (tx) => {
    await tx.query('LOCK TABLE api_key IN ACCESS EXCLUSIVE MODE', []);
    const caller = new AbortController();
    const response = fetch(`${url}/api/v1/me`, {
      headers: { authorization: `Bearer ${apiKey}` },
      signal: caller.signal,
    });
    const hungUp = expect(response).rejects.toThrow('aborted');
    await waitForBlocked(fixture, 1);
    caller.abort();
    await hungUp;
  });
  await expect.poll(async () => (await client.rest(operations.me.get)).status).toBe(200);
});

test.each(['rest', 'trpc'] as const)(
  'a caller that disconnects holds its slot until its work is done (%s)',
  async (protocol) => {
    const { url, apiKey, client, companyId, elsewhere } = await open({ inFlight: 1 });
    const body = { company_id: companyId, name: 'Later' };
    const [method, path] =
      protocol === 'rest' ? ['PATCH', `/api/v1/companies/${companyId}`] : ['POST', '/trpc/companies.update'];
    await elsewhere.database.transaction(async (tx) => {
      await tx.query('SELECT id FROM company WHERE id = $1 FOR UPDATE', [companyId]);
      const caller = new AbortController();
      const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
      const response = fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body), signal: caller.signal });
      const hungUp = expect(response).rejects.toThrow('aborted');
      await waitForBlocked(fixture, 1);
      caller.abort();
      await hungUp;
      await expect.poll(() => fixture.logLines.some((line) => line.includes('"cut_off":true'))).toBe(true);
      expect((await client.rest(operations.me.get)).status).toBe(429);
    });
    await expect.poll(async () => (await client.rest(operations.me.get)).status).toBe(200);
  },
);

test('a statement that takes too long is cancelled, and its request gets 503 with Retry-After', async () => {
  const { client, companyId, elsewhere } = await openWith({ statementTimeoutMs: 200 });
  const { update } = operations.companies;
  const headers = { 'idempotency-key': 'again' };
  const responses = await elsewhere.database.transaction(async (tx) => {
    await tx.query('SELECT id FROM company WHERE id = $1 FOR UPDATE', [companyId]);
    const input = { company_id: companyId, name: 'Later' };
    return [await client.rest(update, input, { headers }), await client.trpc(update, input)];
  });
  for (const response of responses) {
    expect([response.status, response.problem.code, response.headers['retry-after']]).toEqual([
      503,
      'unavailable',
      '5',
    ]);
    expect(response.problem.detail).toContain('database took too long');
    expect(response.text).not.toMatch(/SELECT|statement|canceling|postgres/i);
  }
  expect((await client.rest(update, { company_id: companyId, name: 'Later' }, { headers })).status).toBe(200);
});
