// Risk: a call fails although a retry would succeed, a mutation is executed twice, or a call never settles.
import type { RequestListener } from 'node:http';
import { type ClientOptions, FinhookError, isProblem, type Retry } from '@finhook/client';
import { afterEach, describe, expect, test } from 'vitest';
import { retryDelayMs, sleep, type Wait } from '../src/call.ts';
import { createClientWith } from '../src/create-client.ts';
import { parseRetryAfter } from '../src/transport.ts';
import { type Listening, listen } from './listen.ts';

const json = { 'content-type': 'application/json' };
const result = JSON.stringify({ result: { data: { id: 'co_1' } } });

function problem(status: number, code: string, retryable: boolean): string {
  const document = {
    type: `/docs/errors/${code}`,
    title: code,
    status,
    detail: 'It failed.',
    code,
    retryable,
    request_id: 'req_1',
  };
  return JSON.stringify({ error: { code: -32000, message: 'It failed.', data: { problem: document } } });
}

const unavailable: RequestListener = (_, response) =>
  void response.writeHead(503, { ...json, 'retry-after': '0' }).end(problem(503, 'unavailable', true));
const success: RequestListener = (_, response) => void response.writeHead(200, json).end(result);

let server: Listening;
afterEach(() => server.close());

const atOnce: Wait = async () => undefined;

/** The server sends these responses in turn, then repeats the last. The client retries at once. */
async function clientOf(responses: readonly RequestListener[], options: Partial<ClientOptions> = {}, wait = atOnce) {
  const keys: unknown[] = [];
  const retries: Retry[] = [];
  server = await listen((request, response) => {
    keys.push(request.headers['idempotency-key']);
    responses[Math.min(keys.length, responses.length) - 1]?.(request, response);
  });
  const onRetry = (retry: Retry) => void retries.push(retry);
  const client = createClientWith({ baseUrl: server.url, apiKey: 'sk_test_x', onRetry, ...options }, wait);
  return { client, keys, retries, create: () => client.companies.create({ name: 'Acme' }) };
}

const cutOff: RequestListener = (_, response) => {
  response.writeHead(200, { ...json, 'content-length': '100' }).write('{');
  setTimeout(() => response.destroy(), 5);
};

test.each<[string, RequestListener]>([
  ['is a retryable problem', unavailable],
  [
    'is the page of a proxy',
    (_, response) => void response.writeHead(502, { 'content-type': 'text/html' }).end('<html>'),
  ],
  ['is JSON of a proxy', (_, response) => void response.writeHead(504, json).end('{"message":"timed out"}')],
  ['is cut off', cutOff],
  ['does not arrive', (_, response) => void response.destroy()],
])('a mutation whose response %s is repeated with the same key', async (_, failure) => {
  const { create, keys, retries } = await clientOf([failure, success]);
  expect(await create()).toEqual({ id: 'co_1' });
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
  expect(retries).toMatchObject([{ operation: 'companies.create', attempt: 1, error: { retryable: true } }]);
});

test.each<[string, RequestListener, object]>([
  [
    'a permanent problem',
    (_, response) => void response.writeHead(409, json).end(problem(409, 'company_dissolved', false)),
    { status: 409, requestId: 'req_1' },
  ],
  [
    'a page that is not the service',
    (_, response) => void response.writeHead(404).end('<html>'),
    {
      status: 404,
      problem: undefined,
      message:
        "companies.create: HTTP 404 with a body that is not the service's: check the base URL, and proxies in between",
    },
  ],
  ['a redirect', (_, response) => void response.writeHead(307, { location: '/elsewhere' }).end(), { status: 307 }],
  [
    'a long Retry-After',
    (_, response) =>
      void response.writeHead(429, { ...json, 'retry-after': '61' }).end(problem(429, 'rate_limited', true)),
    { status: 429, retryAfterMs: 61_000 },
  ],
])('%s is not repeated', async (_, failure, expected) => {
  const { create, keys } = await clientOf([failure]);
  const error = await create().catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(FinhookError);
  expect(error).toMatchObject(expected);
  expect(keys).toHaveLength(1);
});

test('the error of the last attempt is thrown', async () => {
  const { create, keys } = await clientOf([unavailable], { maxRetries: 1 });
  const error = await create().catch((caught: unknown) => caught);
  expect(isProblem(error, 'unavailable')).toBe(true);
  expect(isProblem(error, 'rate_limited')).toBe(false);
  expect(keys).toHaveLength(2);
});

test('without retries nothing is repeated, and no key is sent', async () => {
  const { create, keys } = await clientOf([unavailable], { maxRetries: 0 });
  await expect(create()).rejects.toThrow(/^companies.create: It failed. \(503 unavailable\)$/);
  expect(keys).toEqual([undefined]);
});

test.each<[string, RequestListener | undefined, RegExp]>([
  ['that is cut off', cutOff, /^me.get: the connection failed: \w/],
  ['of a service that does not listen', undefined, /^me.get: the connection failed: connect ECONNREFUSED 127/],
])('the error of a response %s says why, and names the call alone', async (_, response, message) => {
  const { client } = await clientOf([response ?? success], { maxRetries: 0 });
  if (response === undefined) await server.close();
  const calls = await Promise.allSettled([client.me.get(), client.companies.get({ company_id: 'co_1' })]);
  expect(calls).toMatchObject([
    {
      reason: { message: expect.stringMatching(message), status: undefined, retryable: true, cause: expect.any(Error) },
    },
    { reason: { message: expect.stringMatching(/^companies.get: the connection failed: /) } },
  ]);
});

describe('a call that takes too long', () => {
  const never: RequestListener = () => undefined;

  test('is repeated, and rejects after its last timeout', async () => {
    const { client, retries } = await clientOf([never], { timeoutMs: 100, maxRetries: 1 });
    await expect(client.me.get()).rejects.toThrow('me.get: no complete response within the timeout of 0.1 s');
    expect(retries).toHaveLength(1);
  });

  test('is aborted by its signal, alone of those that share its request', async () => {
    let respond: (() => void) | undefined;
    const { client } = await clientOf([
      (_, response) => void (respond = () => void response.end(`[${result},${result}]`)),
    ]);
    const controller = new AbortController();
    const aborted = client.me.get(undefined, { signal: controller.signal });
    const other = client.me.get();
    await expect.poll(() => respond).toBeDefined();
    controller.abort(new Error('No longer needed'));
    await expect(aborted).rejects.toThrow('No longer needed');
    respond?.();
    expect(await other).toEqual({ id: 'co_1' });
  });

  test('is aborted while it waits for a retry', async () => {
    const wait: RequestListener = (_, response) =>
      void response.writeHead(503, { ...json, 'retry-after': '50' }).end(problem(503, 'unavailable', true));
    const { client, retries } = await clientOf([wait], {}, sleep);
    const controller = new AbortController();
    const calls = Array.from({ length: 30 }, () =>
      client.companies.create({ name: 'A' }, { signal: controller.signal }),
    );
    await expect.poll(() => retries.length).toBe(30);
    controller.abort(new Error('No longer needed'));
    for (const call of calls) await expect(call).rejects.toThrow('No longer needed');
  });
});

test('hooks see each HTTP request and may add headers', async () => {
  const seen: unknown[] = [];
  const { client } = await clientOf(
    [
      (request, response) =>
        void response
          .writeHead(200, { ...json, 'x-request-id': String(request.headers['traceparent']) })
          .end(`[${result},${result}]`),
    ],
    {
      onRequest: ({ headers }) => void (headers['traceparent'] = '00-1'),
      onResponse: ({ request, status, requestId, durationMs }) =>
        void seen.push([request.method, request.operations, status, requestId, durationMs > 0]),
    },
  );
  await Promise.all([client.me.get(), client.companies.get({ company_id: 'co_1' })]);
  expect(seen).toEqual([['GET', ['me.get', 'companies.get'], 200, '00-1', true]]);
});

test('delays double, are spread, and honour Retry-After', () => {
  const delays = [0, 1].map((random) =>
    [1, 2, 3, 9].map((n) => retryDelayMs({ retryable: true, retryAfterMs: undefined }, n, () => random)),
  );
  expect(delays).toEqual([
    [250, 500, 1000, 4000],
    [500, 1000, 2000, 8000],
  ]);
  expect(retryDelayMs({ retryable: true, retryAfterMs: 5000 }, 1, () => 1)).toBe(5250);
  expect(retryDelayMs({ retryable: false, retryAfterMs: 0 }, 1)).toBeUndefined();
  const now = Date.parse('2026-03-01T00:00:00Z');
  const headers = [null, '3', 'Sun, 01 Mar 2026 00:00:02 GMT', 'Sat, 28 Feb 2026 00:00:00 GMT', 'soon'];
  expect(headers.map((header) => parseRetryAfter(header, now))).toEqual([undefined, 3000, 2000, 0, undefined]);
});
