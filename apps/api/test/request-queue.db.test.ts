// Risk: in a burst, rejected requests use up the quota of the others.
import { type IncomingMessage, request } from 'node:http';
import { operations } from '@finhook/contracts';
import { expect, test } from 'vitest';
import type { RateLimitOptions } from '../src/auth/rate-limits.ts';
import { type ApiFixture, useApi, waitForBlocked } from './api-fixture.ts';

const base = useApi();

/** One request in flight, and four that wait for the duration of a test. */
const open = (rateLimits: Partial<RateLimitOptions> = {}): Promise<ApiFixture> =>
  base.openBeside({ rateLimits: { inFlight: 1, queueMs: 60_000, windowSeconds: 600, ...rateLimits } });

const protocols = ['rest', 'trpc', 'mcp'] as const;
type Protocol = (typeof protocols)[number];

/** Reads the caller over a protocol; resolves with the response's status. */
async function read({ url, apiKey }: ApiFixture, protocol: Protocol, signal?: AbortSignal): Promise<number> {
  const headers = {
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const [path, more] = {
    rest: ['/api/v1/me', {}] as const,
    trpc: ['/trpc/me.get', {}] as const,
    mcp: ['/mcp', { method: 'POST', body }] as const,
  }[protocol];
  const response = await fetch(`${url}${path}`, { headers, ...more, ...(signal === undefined ? {} : { signal }) });
  await response.arrayBuffer();
  return response.status;
}

/** Renames the company while another connection has locked it: the request keeps its slot until `work` has ended. */
async function whileOneIsInFlight(fixture: ApiFixture, work: () => Promise<void>): Promise<number> {
  const { client, companyId, elsewhere } = fixture;
  const held = await elsewhere.database.transaction(async (tx) => {
    await tx.query('SELECT id FROM company WHERE id = $1 FOR UPDATE', [companyId]);
    const renaming = client.rest(operations.companies.update, { company_id: companyId, name: 'First' });
    await waitForBlocked(fixture, 1);
    await work();
    return [renaming];
  });
  return (await Promise.all(held))[0]?.status ?? 0;
}

test.each(protocols)('requests wait for a slot in a queue, and are rejected if it is full (%s)', async (protocol) => {
  const fixture = await open();
  const settled: number[] = [];
  const sent: Promise<unknown>[] = [];
  const renamed = await whileOneIsInFlight(fixture, async () => {
    for (let n = 0; n < 6; n++) sent.push(read(fixture, protocol).then((status) => settled.push(status)));
    await expect.poll(() => settled, { timeout: 10_000 }).toEqual([429, 429]);
  });
  await Promise.all(sent);
  expect([renamed, settled]).toEqual([200, [429, 429, 200, 200, 200, 200]]);
});

test('requests that get no slot do not count towards the rate limit of the key or the account', async () => {
  const fixture = await open({ requests: 20, accountRequests: 12 });
  const sent: Promise<number>[] = [];
  await whileOneIsInFlight(fixture, async () => {
    let rejected = 0;
    for (let n = 0; n < 40; n++) {
      const status = read(fixture, n % 2 === 0 ? 'rest' : 'trpc');
      sent.push(status);
      void status.then((code) => (rejected += code === 429 ? 1 : 0));
    }
    await expect.poll(() => rejected, { timeout: 10_000 }).toBe(36);
  });
  expect((await Promise.all(sent)).filter((status) => status === 200)).toHaveLength(4);
  // One was in flight, four waited.
  const { status, headers } = await fixture.client.rest(operations.me.get);
  expect([status, headers['x-ratelimit-remaining']]).toEqual([200, '14']);
  const others: number[] = [];
  for (let n = 0; n < 7; n++) others.push(await read(fixture, n % 2 === 0 ? 'rest' : 'trpc'));
  expect(others).toEqual([200, 200, 200, 200, 200, 200, 429]);
});

test('a request that waits too long gets 429 with Retry-After, and does not count', async () => {
  const fixture = await open({ requests: 20, queueMs: 20 });
  await whileOneIsInFlight(fixture, async () => {
    const { status, problem, headers } = await fixture.client.rest(operations.me.get);
    expect([status, problem.code]).toEqual([429, 'rate_limited']);
    // It returns in its turn after the end of the window, as one beyond the limit.
    expect(Number(headers['retry-after'])).toBeGreaterThan(580);
  });
  expect((await fixture.client.rest(operations.me.get)).headers['x-ratelimit-remaining']).toBe('18');
});

test('callers that disconnect leave the queue: their requests are not executed and do not count', async () => {
  // Each rejected request returns a second after the one before.
  const fixture = await open({ requests: 600 });
  const { url, apiKey, client, companyId, logLines } = fixture;
  const more: Promise<Response>[] = [];
  await whileOneIsInFlight(fixture, async () => {
    const caller = new AbortController();
    const renaming = [1, 2, 3, 4, 5].map((n) =>
      fetch(`${url}/api/v1/companies/${companyId}`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: `Another ${n}` }),
        signal: caller.signal,
      }),
    );
    const settled = Promise.allSettled(renaming);
    // One is rejected: the other four fill the queue.
    const first = await Promise.race(renaming);
    expect(first.status).toBe(429);
    caller.abort();
    expect((await settled).filter(({ status }) => status === 'rejected')).toHaveLength(4);
    await expect.poll(() => logLines.filter((line) => line.includes('"cut_off":true')).length).toBe(4);
    const waiting = [1, 2, 3, 4].map(() =>
      fetch(`${url}/api/v1/me`, { headers: { authorization: `Bearer ${apiKey}` } }),
    );
    const next = await client.rest(operations.me.get);
    expect(Number(next.headers['retry-after']) - Number(first.headers.get('retry-after'))).toBeLessThanOrEqual(1);
    more.push(...waiting);
  });
  expect((await Promise.all(more)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const company = await client.rest(operations.companies.get, { company_id: companyId });
  expect([company.body.name, company.headers['x-ratelimit-remaining']]).toEqual(['First', '594']);
});

test('a request of tRPC whose body is rejected needs no slot', async () => {
  const fixture = await open({ requests: 20, queueMs: 0 });
  const { url, apiKey } = fixture;
  await whileOneIsInFlight(fixture, async () => {
    const response = await fetch(`${url}/trpc/companies.create`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: '{"name":',
    });
    expect([response.status, response.headers.get('x-ratelimit-remaining')]).toEqual([400, '18']);
  });
});

test('a body that exceeds the bodies in transit does not count', async () => {
  const fixture = await open({ requests: 20 });
  const { url, apiKey, companyId } = fixture;
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', 'content-length': 15 };
  const begin = () => {
    const sending = request(`${url}/api/v1/companies/${companyId}`, { method: 'PATCH', headers });
    const response = new Promise<IncomingMessage>((resolve, reject) =>
      sending.on('response', resolve).on('error', reject),
    );
    sending.write('{"name":');
    return { sending, response };
  };
  const uploads = [1, 2, 3, 4, 5].map(begin);
  const first = await Promise.race(uploads.map(({ response }) => response));
  expect(first.statusCode).toBe(429);
  first.resume();
  for (const { sending } of uploads) sending.end('"Slow"}');
  const statuses = await Promise.all(uploads.map(async ({ response }) => (await response).resume().statusCode));
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  expect((await fixture.client.rest(operations.me.get)).headers['x-ratelimit-remaining']).toBe('15');
});
