// Risk: each api process lets a caller have the whole limit, or a Redis that is away stops every request.
import { createRedisClient } from '@finhook/queue';
import { createLogger } from '@finhook/runtime';
import { startRedis } from '@finhook/testing';
import { expect, test, vi } from 'vitest';
import { createLimiter, type Limiter } from './shared-limiter.ts';

const logger = createLogger({ name: 'test', level: 'silent' });

/** The limiters of two processes that share a Redis. */
async function openTwo() {
  const redis = await startRedis();
  const clients = [1, 2].map(() => createRedisClient(redis.url, { logger }));
  const [first, second] = clients.map((client) =>
    createLimiter({ keyPrefix: 'finhook-rate', points: 10, duration: 600, redis: client?.client }),
  );
  if (first === undefined || second === undefined) throw new Error('No limiter was opened.');
  // A command fails at once until a connection is ready.
  await vi.waitFor(async () => expect((await clients[1]?.client.ping()) ?? '').toBe('PONG'));
  await vi.waitFor(async () => expect((await clients[0]?.client.ping()) ?? '').toBe('PONG'));
  return {
    first,
    second,
    redis,
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

test('D16: processes share a limit, and a process knows soon what the others let in', async () => {
  await using two = await openTwo();
  for (let left = 9; left >= 5; left--) expect(consume(two.first, 'key')).toBe(left);
  expect(consume(two.first, 'another')).toBe(9);
  await vi.waitFor(() => expect(two.second.consume('key', 0).remaining).toBe(5));
  for (let left = 4; left >= 0; left--) expect(consume(two.second, 'key')).toBe(left);
  await vi.waitFor(() => expect(consume(two.first, 'key')).toBe('none'));
  expect(consume(two.second, 'another')).not.toBe('none');
});

test('D16: a limit holds in each process while Redis is away, and no request waits for it', async () => {
  await using two = await openTwo();
  expect(consume(two.first, 'key')).toBe(9);
  await two.redis.stop();
  for (let left = 8; left >= 0; left--) expect(consume(two.first, 'key')).toBe(left);
  expect(consume(two.first, 'key')).toBe('none');
});

test('processes learn of points that one of them gives back, and of none of a rejected request', async () => {
  await using two = await openTwo();
  const counted = Array.from({ length: 10 }, () => two.first.consume('key', 1));
  await vi.waitFor(() => expect(two.second.consume('key', 0).remaining).toBe(0));
  for (let n = 0; n < 30; n++) expect(consume(n % 2 === 0 ? two.first : two.second, 'key')).toBe('none');
  for (const { giveBack } of counted.slice(0, 4)) expect(giveBack()).toBe(true);
  expect(two.first.consume('key', 0).remaining).toBe(4);
  await vi.waitFor(() => expect(two.second.consume('key', 0).remaining).toBe(4));
});
