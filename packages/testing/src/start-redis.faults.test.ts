// Risk: a queue suite believes that it stopped or flushed its server, and proves nothing.
import { describe, expect, test } from 'vitest';
import { startQueueBackend } from './queue-backends.ts';
import { openRedis, redisCommands, redisServerBinary, startRedis } from './start-redis.ts';
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

test.runIf(hasRedis)('the Redis of REDIS_URL is emptied, shut and opened again, and its other data stays', async () => {
  const named = await startRedis({ args: ['--requirepass', 'p@ss'] });
  const asked = (...commands: string[]) =>
    redisCommands(Number(new URL(named.url).port), 'AUTH default p@ss', ...commands);
  await asked('SET kept 1', 'SELECT 3', 'SET lost 1');
  const address = Object.assign(new URL(named.url), { password: 'p@ss' }).href;
  const redis = await openRedis(address, 3);
  expect(await asked('DBSIZE', 'SELECT 3', 'DBSIZE')).toMatch(/:1\r\n\+OK\r\n:0/);
  await redis.stop();
  await expect(redis.flush()).rejects.toThrow('ECONNREFUSED');
  await redis.restart();
  await redis.flush();
  await redis.stop();
  const wrong = Object.assign(new URL(address), { password: 'no' }).href;
  await expect(openRedis(wrong, 3)).rejects.toThrow('The Redis of REDIS_URL at 127.0.0.1');
  await named.stop();
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
