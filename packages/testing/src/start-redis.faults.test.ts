// Risk: a queue suite believes that it stopped or flushed its server, and proves nothing.
import { describe, expect, test } from 'vitest';
import { startQueueBackend } from './queue-backends.ts';
import { redisServerBinary, startRedis } from './start-redis.ts';
import { withClient } from './test-database.ts';

const hasRedis = redisServerBinary() !== null;

test.runIf(hasRedis)('Redis is flushed, killed and restarted on the same URL', async () => {
  const redis = await startRedis();
  const { url, pid } = redis;
  await redis.flush();
  await redis.kill();
  await expect(redis.flush()).rejects.toThrow('ECONNREFUSED');
  await redis.restart();
  expect(redis.pid).not.toBe(pid);
  expect(redis.url).toBe(url);
  await redis.flush();
  await redis.stop();
});

describe('the PostgreSQL backend', () => {
  test('flush removes what the queue library stores, stop refuses connections, start serves again', async () => {
    const backend = await startQueueBackend('postgres');
    const schemas = () =>
      withClient(backend.url, async (client) => (await client.query("select to_regnamespace('bullmq') as found")).rows);
    await withClient(backend.url, (client) => client.query('create schema bullmq create table job (id int)'));
    await backend.flush();
    expect(await schemas()).toEqual([{ found: null }]);
    await backend.stop();
    await expect(schemas()).rejects.toThrow('ECONNREFUSED');
    await backend.start();
    expect(await schemas()).toEqual([{ found: null }]);
    await backend.close();
  });
});
