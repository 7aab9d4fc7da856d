// Risk: an unreadable request gets an unusual response, or blocks the service.
import { connect } from 'node:net';
import { operations, type Problem } from '@finhook/contracts';
import { expect, test } from 'vitest';
import { useApi } from './api-fixture.ts';
import { exchange } from './exchange.ts';

// Time limit for receiving a request: long enough for a complete one on a busy machine.
const fixture = useApi({ requestTimeoutMs: 500 });

/** The only response in a text that came over a connection, which ended with it. */
function readResponse(text: string): { status: number; headers: Headers; problem: Problem } {
  const [head = '', body = ''] = text.split('\r\n\r\n', 2);
  const [first = '', ...lines] = head.split('\r\n');
  const headers = new Headers(
    lines.map((line): [string, string] => [line.split(':', 1)[0] ?? '', line.replace(/^.*?: /, '')]),
  );
  expect(headers.get('content-length')).toBe(String(Buffer.byteLength(body)));
  return { status: Number(first.split(' ')[1]), headers, problem: JSON.parse(body) };
}

function expectProblem(text: string, status: number, code: string): void {
  const { status: told, headers, problem } = readResponse(text);
  expect([told, problem.status, problem.code]).toEqual([status, status, code]);
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'application/problem+json; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    connection: 'close',
  });
  expect(problem.request_id).toMatch(/^req_[0-9a-hjkmnp-tv-z]{26}$/);
  expect(headers.get('x-request-id')).toBe(problem.request_id);
  expect(fixture.logLines.filter((line) => line.includes(problem.request_id))).not.toEqual([]);
}

test('errors of the HTTP parser are problem documents with a request id', async () => {
  const { url } = fixture;
  const long = 'x'.repeat(20_000);
  expectProblem(
    await exchange(url, `GET /api/v1/companies?q=${long} HTTP/1.1\r\nHost: x\r\n\r\n`),
    431,
    'headers_too_large',
  );
  expectProblem(
    await exchange(url, `GET /api/v1/me HTTP/1.1\r\nHost: x\r\nCookie: ${long}\r\n\r\n`),
    431,
    'headers_too_large',
  );
  expectProblem(await exchange(url, 'No HTTP at all\r\n\r\n'), 400, 'malformed_body');
  expect((await fixture.client.rest(operations.me.get)).status).toBe(200);
});

test('a request without Host is rejected, and an unknown expectation is ignored', async () => {
  const { url, apiKey } = fixture;
  const get = `GET /api/v1/me HTTP/1.1\r\nConnection: close\r\nAuthorization: Bearer ${apiKey}\r\n`;
  const text = await exchange(url, `${get}\r\n`);
  expect(text).toMatch(/^HTTP\/1\.1 400 [^]*x-request-id: req_[^]*"code":"malformed_body"/);
  expect(text).toContain('it has no Host header');
  expect(await exchange(url, `${get}Host: x\r\nExpect: foo\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 [^]*x-request-id: req_/);
});

test.each([
  ['two Host headers', 'Host: x\r\nHost: y\r\n\r\n', 'it has more than one Host header'],
  [
    'codings that are not undone',
    'Host: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
    'its Transfer-Encoding must be chunked',
  ],
])('%s are refused', async (_name, lines, detail) => {
  const head = `POST /api/v1/companies HTTP/1.1\r\nConnection: close\r\nAuthorization: Bearer ${fixture.apiKey}\r\n`;
  const text = await exchange(fixture.url, head + lines);
  expect(text).toMatch(/^HTTP\/1\.1 400 [^]*"code":"malformed_body"/);
  expect(text).toContain(detail);
});

test('unreadable bytes after a complete request are rejected by themselves', async () => {
  const get = `GET /api/v1/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${fixture.apiKey}\r\n\r\n`;
  const text = await exchange(fixture.url, get, 'No HTTP at all\r\n\r\n');
  expect(text).toMatch(/^HTTP\/1\.1 200 /);
  expectProblem(text.slice(text.indexOf('HTTP/1.1 400')), 400, 'malformed_body');
});

const stalled = (path: string, key?: string): string =>
  [
    `POST ${path} HTTP/1.1`,
    'host: x',
    ...(key === undefined ? [] : [`authorization: Bearer ${key}`]),
    'content-type: application/json',
    'content-length: 9',
    '',
    '{',
  ].join('\r\n');

test('an incomplete request gets 408, and its connection is closed', async () => {
  const { url, apiKey } = fixture;
  const texts = await Promise.all([
    exchange(url, 'POST /api/v1/companies HTTP/1.1\r\nhost: x\r\n'),
    exchange(url, stalled('/api/v1/companies', apiKey)),
    exchange(url, stalled('/trpc/companies.create', apiKey)),
  ]);
  for (const text of texts) expectProblem(text, 408, 'request_timeout');
});

test('a request that was rejected during its upload is closed without a second response', async () => {
  const text = await exchange(fixture.url, stalled('/api/v1/companies'));
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401']);
});

test('a slow upload of a rejected request is cut off after the time limit', async () => {
  const socket = connect(Number(new URL(fixture.url).port), '127.0.0.1');
  const closed = new Promise((resolve) => socket.on('error', () => undefined).once('close', resolve));
  socket.write(stalled('/api/v1/companies').replace('content-length: 9', 'content-length: 1000000'));
  const drip = setInterval(() => socket.write(' '), 20);
  await closed;
  clearInterval(drip);
  expect((await fixture.client.rest(operations.me.get)).status).toBe(200);
});

test('stalled uploads take no request slots, and have a limit of their own', async () => {
  const { client, url, apiKey } = await fixture.openBeside({ rateLimits: { inFlight: 2, queueMs: 0 } });
  const sockets = Array.from({ length: 10 }, () => connect(Number(new URL(url).port), '127.0.0.1'));
  const responses: string[] = [];
  for (const [i, socket] of sockets.entries()) {
    socket.on('error', () => undefined).on('data', (part) => responses.push(String(part).slice(0, 12)));
    socket.write(stalled(i % 2 === 0 ? '/api/v1/companies' : '/trpc/companies.create', apiKey));
  }
  // Eight of ten hold a place.
  await expect.poll(() => responses, { timeout: 10_000 }).toEqual(['HTTP/1.1 429', 'HTTP/1.1 429']);
  const more = async (): Promise<number> => (await client.rest(operations.companies.create, { name: 'More' })).status;
  expect([await more(), (await client.rest(operations.me.get)).status]).toEqual([429, 200]);
  expect((await client.trpc(operations.companies.create, { name: 'More' })).problem.code).toBe('rate_limited');
  for (const socket of sockets) socket.destroy();
  await expect.poll(more, { timeout: 10_000, interval: 10 }).toBe(201);
});

test('a complete request may run longer than the time limit', async () => {
  const { client, companyId, elsewhere, url, apiKey } = fixture;
  const slow = elsewhere.database.transaction(async (tx) => {
    await tx.query('SELECT id FROM company WHERE id = $1 FOR UPDATE', [companyId]);
    const response = client.rest(operations.companies.update, { company_id: companyId, name: 'Later' });
    // The time of a request that began later is over.
    expectProblem(await exchange(url, stalled('/api/v1/companies', apiKey)), 408, 'request_timeout');
    return [response];
  });
  const [response] = await slow;
  expect((await response)?.status).toBe(200);
});

test.each([
  ['a version of HTTP that this is not', 'GET /api/v1/me HTTP/2.0\r\nHost: x'],
  ['an early version of HTTP', 'GET /api/v1/me HTTP/0.9'],
  ['a target at another address than its Host', 'GET http://other.example/api/v1/me HTTP/1.1\r\nHost: x'],
])('%s is rejected', async (_name, head) => {
  const text = await exchange(
    fixture.url,
    `${head}\r\nConnection: close\r\nAuthorization: Bearer ${fixture.apiKey}\r\n\r\n`,
  );
  expect(text).toMatch(/^HTTP\/1\.1 400 [^]*"code":"malformed_body"/);
});

test.each(['GET /api/v1/me HTTP/1.0', 'GET http://X/api/v1/me HTTP/1.1\r\nHost: x'])('%j is served', async (head) => {
  const text = await exchange(
    fixture.url,
    `${head}\r\nConnection: close\r\nAuthorization: Bearer ${fixture.apiKey}\r\n\r\n`,
  );
  expect(text).toMatch(/^HTTP\/1\.1 200 /);
});
