// Risk: calls that were made together are rejected or lost together, because they travel in one request.
import { type CallOptions, createClient } from '@finhook/client';
import { expect, test } from 'vitest';
import { listen } from './listen.ts';

test('queries of the same tick travel in batches of twelve at most', async () => {
  const batches: number[] = [];
  const server = await listen((request, response) => {
    const calls = (request.url ?? '').split('?', 1)[0]?.split(',') ?? [];
    batches.push(calls.length);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(calls.map(() => ({ result: { data: {} } }))));
  });
  const client = createClient({ baseUrl: server.url, apiKey: 'sk_test_x' });
  expect(await Promise.all(Array.from({ length: 30 }, () => client.me.get()))).toHaveLength(30);
  expect(batches.toSorted((a, b) => b - a)).toEqual([12, 12, 6]);
  await server.close();
});

test('each mutation has a request of its own, with an idempotency key; an invalid key is rejected', async () => {
  const keys: unknown[] = [];
  const server = await listen((request, response) => {
    keys.push(request.headers['idempotency-key']);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ result: { data: {} } }));
  });
  const client = createClient({ baseUrl: server.url, apiKey: 'sk_test_x' });
  const create = (options?: CallOptions) => client.companies.create({ name: 'Acme' }, options);
  await Promise.all([create(), create({ idempotencyKey: 'one' }), create()]);
  expect(new Set(keys).size).toBe(3);
  expect(keys.filter((key) => key !== 'one')).toEqual(Array(2).fill(expect.stringMatching(/^[0-9a-f-]{36}$/)));
  for (const idempotencyKey of [7, '', null]) {
    const call = create({ idempotencyKey: asCallerWithoutTypes(idempotencyKey) });
    await expect(call).rejects.toThrow('idempotencyKey must be a string');
  }
  expect(keys).toHaveLength(3);
  await server.close();
});

test('of a hundred calls of one moment 24 are under way at most, and one that fails gives its place back', async () => {
  let underWay = 0;
  let most = 0;
  let asked = 0;
  let isHeld = true;
  const held: (() => void)[] = [];
  const server = await listen((request, response) => {
    const calls = (request.url ?? '').split('?', 1)[0]?.split(',') ?? [];
    underWay += calls.length;
    most = Math.max(most, underWay);
    asked += calls.length;
    const respond = (): void => {
      underWay -= calls.length;
      if (request.method === 'POST') response.destroy();
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(calls.map(() => ({ result: { data: {} } }))));
    };
    if (isHeld) held.push(respond);
    else setImmediate(respond);
  });
  const client = createClient({ baseUrl: server.url, apiKey: 'sk_test_x', maxRetries: 0 });
  const changes = Array.from({ length: 50 }, () => client.companies.create({ name: 'Acme' }));
  const reads = Array.from({ length: 50 }, () => client.me.get());
  await expect.poll(() => underWay, { timeout: 10_000 }).toBe(24);
  isHeld = false;
  for (const respond of held) respond();
  expect((await Promise.allSettled(changes)).every(({ status }) => status === 'rejected')).toBe(true);
  expect(await Promise.all(reads)).toHaveLength(50);
  expect({ asked, most }).toEqual({ asked: 100, most: 24 });
  await server.close();
});

test.each([
  [
    'localhost:3000',
    'sk_test_x',
    'baseUrl must be where the service listens, like https://finhook.example.com; it is "localhost:3000"',
  ],
  ['', 'sk_test_x', 'it is ""'],
  ['http://localhost:3000/api/v1/', 'sk_test_x', 'without /api/v1'],
  ['https://finance.example.com/hooks/trpc', 'sk_test_x', 'without /hooks/trpc'],
  ['http://localhost:3000', '', 'apiKey is empty'],
])('a client of %j with the key %j is rejected at once', (url, apiKey, reason) => {
  expect(() => createClient({ baseUrl: url, apiKey })).toThrow(reason);
  expect(() => createClient({ baseUrl: url, apiKey })).toThrow(TypeError);
});

test.each(['http://localhost:3000', 'https://finance.example.com/hooks/'])('a client of %j is taken', (url) => {
  expect(createClient({ baseUrl: url, apiKey: 'sk_test_x' }).me.get).toBeDefined();
});

function asCallerWithoutTypes(key: unknown): string {
  return key as string;
}
