// Risk: each api process grants a caller the whole limit, or a Redis outage stops every request.
import { createRedisClient } from '@finhook/queue';
import { createLogger } from '@finhook/runtime';
import { startRedis } from '@finhook/testing';
import { expect, test, vi } from 'vitest';
import { createLimiter, type Limiter } from './shared-limiter.ts';

const logger = createLogger({ name: 'test', level: 'silent' });

/** The limiters of two processes that share a Redis. The first one has a clock of the test's own, in ms. */
async function openTwo() {
  const clock = { ms: 0 };
  const redis = await startRedis();
  const clients = [1, 2].map(() => createRedisClient(redis.url, { logger }));
  const [own, another] = clients;
  if (own === undefined) throw new Error('No client was opened.');
  const options = { keyPrefix: 'finhook-rate', points: 10, duration: 600 };
  const first = createLimiter({ ...options, redis: own.client, now: () => clock.ms });
  const second = createLimiter({ ...options, redis: another?.client });
  // A command fails at once until a connection is ready.
  await vi.waitFor(async () => expect((await clients[1]?.client.ping()) ?? '').toBe('PONG'));
  await vi.waitFor(async () => expect((await clients[0]?.client.ping()) ?? '').toBe('PONG'));
  /** What Redis has counted of a key, once the first process has reported what it knows. */
  async function countOf(key: string): Promise<string | null> {
    const reported = `finhook-rate:reported-${++reports}`;
    first.consume(reported.slice('finhook-rate:'.length), 1);
    await vi.waitFor(async () => expect(await own?.client.get(reported)).toBe('1'));
    return (await own?.client.get(`finhook-rate:${key}`)) ?? null;
  }
  let reports = 0;
  return {
    first,
    second,
    redis,
    clock,
    client: own.client,
    countOf,
    [Symbol.asyncDispose]: async () => {
      for (const client of clients) await client?.close();
      await redis.stop();
    },
  };
}

/** What is left after one more request; 'none' if it is rejected. */
function consume(limiter: Limiter, key: string): number | 'none' {
  const { allowed, remaining } = limiter.consume(key, 1);
  return allowed ? remaining : 'none';
}

test('processes share a limit, and learn the counts of others soon', async () => {
  await using two = await openTwo();
  for (let left = 9; left >= 5; left--) expect(consume(two.first, 'key')).toBe(left);
  expect(consume(two.first, 'another')).toBe(9);
  await vi.waitFor(() => expect(two.second.consume('key', 0).remaining).toBe(5));
  for (let left = 4; left >= 0; left--) expect(consume(two.second, 'key')).toBe(left);
  await vi.waitFor(() => expect(consume(two.first, 'key')).toBe('none'));
  expect(consume(two.second, 'another')).not.toBe('none');
});

test('a limit holds in each process while Redis is down, and no request waits for Redis', async () => {
  await using two = await openTwo();
  expect(consume(two.first, 'key')).toBe(9);
  await two.redis.stop();
  for (let left = 8; left >= 0; left--) expect(consume(two.first, 'key')).toBe(left);
  expect(consume(two.first, 'key')).toBe('none');
});

test('processes learn of refunds, and not of rejected requests', async () => {
  await using two = await openTwo();
  const counted = Array.from({ length: 10 }, () => two.first.consume('key', 1));
  await vi.waitFor(() => expect(two.second.consume('key', 0).remaining).toBe(0));
  for (let n = 0; n < 30; n++) expect(consume(n % 2 === 0 ? two.first : two.second, 'key')).toBe('none');
  for (const { refund } of counted.slice(0, 4)) expect(refund()).toBeGreaterThan(0);
  expect(two.first.consume('key', 0).remaining).toBe(4);
  await vi.waitFor(() => expect(two.second.consume('key', 0).remaining).toBe(4));
});

test('a refund after the end of the window in Redis starts no window', async () => {
  await using two = await openTwo();
  const { refund } = two.first.consume('key', 4);
  expect(await two.countOf('key')).toBe('4');
  await two.client.del('finhook-rate:key');
  expect(refund()).toBeGreaterThan(0);
  expect(await two.countOf('key')).toBe(null);
});

test('a refund does not apply to the next window, which another process has started', async () => {
  await using two = await openTwo();
  const { refund } = two.first.consume('key', 4);
  expect(await two.countOf('key')).toBe('4');
  await two.client.del('finhook-rate:key');
  two.second.consume('key', 3);
  await vi.waitFor(async () => expect(await two.client.get('finhook-rate:key')).toBe('3'));
  // In this process the window goes on for a moment.
  two.clock.ms = 599_000;
  expect(refund()).toBeGreaterThan(0);
  expect(await two.countOf('key')).toBe('3');
});

test('a refund is not reported after the end of its window', async () => {
  await using two = await openTwo();
  const { refund } = two.first.consume('key', 4);
  expect(await two.countOf('key')).toBe('4');
  expect(refund()).toBeGreaterThan(0);
  two.clock.ms = 600_000;
  expect(await two.countOf('key')).toBe('4');
});

test('refunds do not make the shared count negative', async () => {
  await using two = await openTwo();
  const { refund } = two.first.consume('key', 4);
  expect(await two.countOf('key')).toBe('4');
  await two.client.set('finhook-rate:key', 1, 'KEEPTTL');
  expect(refund()).toBeGreaterThan(0);
  expect(await two.countOf('key')).toBe('0');
});
