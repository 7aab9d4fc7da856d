// Risk: a backend that responds but rejects jobs counts as up, mixes two installations, or floods the log.
import { setTimeout } from 'node:timers/promises';
import { createLogger } from '@finhook/runtime';
import {
  createTestDatabase,
  queueBackends,
  redisCommands,
  startQueueBackend,
  startRedis,
  withClient,
} from '@finhook/testing';
import { test as base, describe, expect as globalExpect, inject, vi } from 'vitest';
import { consumeFrom, isReady, onWake, wake } from '../test/queue-fixture.ts';
import type { QueueConsumer } from './consumer.ts';
import { createQueueProducer, QueueUnavailableError } from './producer.ts';
import { createRedisClient } from './redis-connection.ts';

interface Line {
  msg: string;
  queue_role?: string;
  err?: { message: string; code?: string };
}

/** Closes in reverse order after the test. */
const test = base
  // oxlint-disable-next-line no-empty-pattern -- vitest reads from the pattern which fixtures this one needs
  .extend('closers', async ({}, { onCleanup }): Promise<(() => Promise<unknown>)[]> => {
    const closers: (() => Promise<unknown>)[] = [];
    onCleanup(async () => {
      for (const close of closers.toReversed()) await close();
    });
    return closers;
  })
  .extend('open', ({ closers }) => (url: string) => {
    const lines: Line[] = [];
    const woken: string[] = [];
    const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
    const logger = createLogger({ level: 'info', name: 'test', destination });
    const producer = createQueueProducer(url, { logger });
    const handlers = onWake((id) => woken.push(id));
    const consumer = consumeFrom(url, { logger, handlers });
    closers.push(() => Promise.all([producer.close(), consumer.close({ timeoutMs: 2_000 })]));
    const wakes = async () => {
      await wake(producer, 'we_heard').catch(() => undefined);
      if (!woken.includes('we_heard')) throw new Error('No wake-up was heard.');
    };
    return {
      producer,
      consumer,
      count: (msg: string, role: string) =>
        lines.filter((line) => line.msg.startsWith(msg) && line.queue_role === role).length,
      reasons: () => lines.flatMap(({ err }) => (err === undefined ? [] : [`${err.code ?? ''} ${err.message}`])),
      isReady: () => isReady(producer),
      works: () => vi.waitFor(wakes, { timeout: 20_000, interval: 50 }),
    };
  })
  .extend('redis', ({ closers }) => async (...args: string[]) => {
    const redis = await startRedis({ args });
    closers.push(redis.stop);
    const port = Number(new URL(redis.url).port);
    return { port, ask: (...commands: string[]) => redisCommands(port, ...commands) };
  });

interface Opened {
  readonly consumer: QueueConsumer;
  readonly count: (msg: string, role: string) => number;
  readonly reasons: () => string[];
  readonly isReady: () => Promise<boolean>;
}

/** Producer and consumer log once that the queue is unavailable, with the reason. */
async function expectAway(queue: Opened, reason: RegExp): Promise<void> {
  const { consumer, count, reasons } = queue;
  const told = () =>
    ['producer', 'consumer'].map((role) => [count('the queue is away', role), count('the queue is back', role)]);
  const once = [
    [1, 0],
    [1, 0],
  ];
  await vi.waitFor(() => globalExpect(told()).toEqual(once), { timeout: 10_000 });
  // Repeated log lines would appear within this time.
  await setTimeout(300);
  globalExpect([told(), await queue.isReady(), consumer.isUp()]).toEqual([once, false, false]);
  globalExpect(reasons().some((text) => reason.test(text))).toBe(true);
}

const ownRedis = queueBackends().filter((name) => name === 'redis');

describe.concurrent.each(ownRedis)('%s', () => {
  test.for([
    ['has no such database', '/99', 'ERR DB index is out of range'],
    ['does not let the login select', '/5', 'NOPERM'],
  ] as const)(
    'that %s stays away with the reason, and nothing goes to another database',
    async ([, database, reason], { open, redis, closers, expect }) => {
      const { port, ask } = await redis();
      await ask('ACL SETUSER finhook on >secret ~* &* +@all -select');
      const login = reason === 'NOPERM' ? 'finhook:secret@' : '';
      const url = `redis://${login}127.0.0.1:${port}${database}`;
      const queue = open(url);
      const limits = createRedisClient(url, { logger: createLogger({ level: 'silent', name: 'test' }) });
      closers.push(async () => limits?.close());
      await expect(wake(queue.producer, 'we_lost')).rejects.toThrow(QueueUnavailableError);
      await expectAway(queue, new RegExp(reason));
      expect(limits?.client.status).not.toBe('ready');
      await expect(limits?.client.incr('finhook-rate:x')).rejects.toThrow();
      expect(await ask('INFO keyspace')).not.toContain('db0');
    },
  );

  test('of another database than the first is used for all there is', async ({ open, redis, expect }) => {
    const { port, ask } = await redis();
    const queue = open(`redis://127.0.0.1:${port}/5`);
    await queue.works();
    const keyspace = await ask('INFO keyspace');
    expect([keyspace.includes('db5'), keyspace.includes('db0')]).toEqual([true, false]);
  });

  test('that is a replica is away with that reason, said once, until it is none', async ({ open, redis, expect }) => {
    const { port, ask } = await redis('--replicaof', '127.0.0.1', '1');
    const queue = open(`redis://127.0.0.1:${port}`);
    await expectAway(queue, /READONLY/);
    expect(queue.reasons().every((reason) => reason.includes('READONLY'))).toBe(true);
    await ask('REPLICAOF NO ONE');
    await queue.works();
    expect(await queue.isReady()).toBe(true);
  });

  test('that becomes a replica is away with that reason', async ({ open, redis, expect }) => {
    const { port, ask } = await redis();
    const queue = open(`redis://127.0.0.1:${port}`);
    await queue.works();
    await ask('REPLICAOF 127.0.0.1 1');
    await expectAway(queue, /READONLY/);
    await ask('REPLICAOF NO ONE');
    await expect.poll(queue.isReady).toBe(true);
  });

  test('that is full is not ready, says so, and is ready when it has room', async ({ open, redis, expect }) => {
    const { port, ask } = await redis();
    const running = open(`redis://127.0.0.1:${port}`);
    await running.works();
    await ask('CONFIG SET maxmemory 1');
    const early = open(`redis://127.0.0.1:${port}`);
    for (const queue of [running, early]) {
      await expect.poll(queue.isReady).toBe(false);
      await expect.poll(() => queue.reasons().join()).toContain('OOM');
    }
    await ask('CONFIG SET maxmemory 0');
    for (const queue of [running, early]) await expect.poll(queue.isReady).toBe(true);
    await early.works();
  });

  test('that fails in the middle of an add may have the job, so its hand-offs are not lost', async ({
    redis,
    closers,
    expect,
  }) => {
    const { port, ask } = await redis();
    const logger = createLogger({ level: 'silent', name: 'test' });
    const producer = createQueueProducer(`redis://127.0.0.1:${port}`, { logger });
    closers.push(() => producer.close());
    await producer.ping();
    // The last key that BullMQ's script writes has an unexpected type.
    await ask('SET {finhook}:finhook-deliver:marker x');
    let lost = 0;
    const handOff = producer.deliver({ handOffs: ['sealed'], onLost: () => (lost += 1) });
    await expect(handOff).rejects.toThrow('WRONGTYPE');
    expect([lost, await producer.counts('deliver')]).toEqual([0, { waiting: 1, active: 0, delayed: 0 }]);
  });

  test('needs to give a login the keys that the manual names, and no others', async ({ open, redis, expect }) => {
    const { port, ask } = await redis();
    await ask(
      'ACL SETUSER named on >secret ~{finhook}* ~finhook-rate:* ~finhook-auth:* &* +@all',
      'ACL SETUSER other on >secret ~other* &* +@all',
    );
    const named = open(`redis://named:secret@127.0.0.1:${port}`);
    await named.works();
    expect(await named.isReady()).toBe(true);
    const other = open(`redis://other:secret@127.0.0.1:${port}`);
    await expect.poll(() => other.reasons().join()).toContain('NOPERM');
    expect(await other.isReady()).toBe(false);
  });
});

describe.concurrent.each(queueBackends().filter((name) => name === 'postgres'))('%s', () => {
  test('whose user may not make the tables is away with that reason, said once, until it may', async ({
    open,
    closers,
    expect,
  }) => {
    const database = await createTestDatabase(inject('pgUrl'));
    const { url, name } = database;
    closers.push(() => database.drop());
    const admin = (sql: string) => withClient(url, (client) => client.query(sql));
    // Roles belong to the server, which other tests share.
    await admin(`create role ${name} login password 'secret'`);
    const limited = new URL(url);
    limited.username = name;
    limited.password = 'secret';
    const queue = open(limited.href);
    await expectAway(queue, /^42501/);
    expect(queue.reasons().every((reason) => reason.startsWith('42501'))).toBe(true);
    await admin(`grant create on database ${name} to ${name}`);
    await queue.works();
    expect(await queue.isReady()).toBe(true);
  });

  test('that takes no writes is not ready, says so, and is ready when it does', async ({ open, closers, expect }) => {
    const backend = await startQueueBackend('postgres');
    closers.push(backend.close);
    const { url } = backend;
    const setReadOnly = (statement: string) =>
      withClient(url, async (client) => {
        await client.query('set default_transaction_read_only = off');
        await client.query(statement);
        await client.query('select pg_reload_conf()');
      });
    const queue = open(url);
    await queue.works();
    await setReadOnly('alter system set default_transaction_read_only = on');
    await expect.poll(queue.isReady).toBe(false);
    await expect.poll(() => queue.reasons().join('\n')).toMatch(/^25006/m);
    for (const role of ['producer', 'consumer'])
      await expect.poll(() => queue.count('the queue is away', role)).toBe(1);
    // Repeated log lines would appear within this time.
    await setTimeout(300);
    for (const role of ['producer', 'consumer']) expect(queue.count('the queue is away', role)).toBe(1);
    expect(await queue.isReady()).toBe(false);
    await setReadOnly('alter system reset default_transaction_read_only');
    await expect.poll(queue.isReady).toBe(true);
    await queue.works();
  });
});
