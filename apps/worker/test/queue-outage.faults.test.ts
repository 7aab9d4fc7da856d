// Risk: while the queue is stopped, full, hanging or emptied, a delivery is lost, waits for an unused lease or is sent twice.
import { handlers, toDeliveryQueue } from '@finhook/core';
import { createQueueProducer } from '@finhook/queue';
import { createLogger } from '@finhook/runtime';
import { queueBackends, redisCommands, redisServerBinary, startRedis } from '@finhook/testing';
import { describe, inject, onTestFinished, test } from 'vitest';
import { defaultTiming } from '../src/timing.ts';
import { errorsOf, readLedger, repeatedIn } from './ledger.ts';
import { openOwnFixture } from './worker-fixture.ts';
import { aloneTest } from './worker-test.ts';

const posts = 60;
const logger = createLogger({ level: 'silent', name: 'test' });

type RedisServer = Awaited<ReturnType<typeof startRedis>>;

const portOf = ({ url }: RedisServer) => Number(new URL(url).port);

interface Outage {
  readonly title: string;
  /** True if Redis may have received the hand-offs of the job in flight, whose leases are kept. */
  readonly unsure: boolean;
  readonly begin: (redis: RedisServer) => Promise<void>;
  readonly end: (redis: RedisServer) => Promise<void>;
}

const outages: readonly Outage[] = [
  {
    title: 'stopped',
    unsure: true,
    begin: (redis) => redis.stop(),
    end: (redis) => redis.restart(),
  },
  {
    title: 'full',
    unsure: false,
    begin: async (redis) => void (await redisCommands(portOf(redis), 'CONFIG SET maxmemory 1')),
    end: async (redis) => void (await redisCommands(portOf(redis), 'CONFIG SET maxmemory 0')),
  },
  {
    title: 'frozen',
    unsure: true,
    begin: async ({ pid }) => void process.kill(pid, 'SIGSTOP'),
    end: async ({ pid }) => void process.kill(pid, 'SIGCONT'),
  },
];

test.skipIf(redisServerBinary() === null).for(outages)(
  'while Redis is $title, the worker finds what is due by itself: once each, at the first attempt',
  { timeout: 60_000 },
  async ({ unsure, begin, end }, { expect }) => {
    const redis = await startRedis();
    const fixture = await openOwnFixture(inject('pgUrl'), redis);
    const producer = createQueueProducer(redis.url, { logger });
    onTestFinished(async () => {
      await producer.close();
      await fixture.close();
      await redis.stop();
    });
    await producer.ping();
    const context = { ...fixture.context, queue: toDeliveryQueue(producer, fixture.core.secrets) };
    const post = (index: number) => {
      const asOf = new Date(Date.UTC(1990, 0, 1 + index)).toISOString().slice(0, 10);
      const balance = { company_id: fixture.companyId, as_of: asOf, balance_cents: index, currency: 'USD' };
      return handlers.cash.balances.upsert(context, balance);
    };
    await fixture.subscribe('/hook');
    // Disables the reconciler while the queue is up.
    await fixture.startWorker({ timing: { ...defaultTiming, reconcileMs: 600_000 } });
    await post(0);
    await fixture.received(1);

    await begin(redis);
    for (let index = 1; index <= posts; index += 1) await post(index);
    await fixture.received(1 + posts);
    await fixture.settled();
    await end(redis);
    await expect.poll(() => producer.isAccepting, { timeout: 10_000 }).toBe(true);
    await post(posts + 1);
    await fixture.received(posts + 2);
    await fixture.settled();

    const ledger = await readLedger(fixture);
    expect([ledger.lines.length, errorsOf(ledger), repeatedIn(ledger)]).toEqual([posts + 2, [], []]);
    // A delivery whose lease had to end first is at its second attempt.
    const waited = ledger.lines.filter(({ received }) => received.some((attempt) => attempt > 1));
    expect(waited.length).toBeLessThanOrEqual(unsure ? 1 : 0);
  },
);

describe.each(queueBackends())('the queue on %s', (name) => {
  aloneTest(name)('flushing the queue again and again loses and repeats nothing', async ({ fixture, expect }) => {
    const events = 400;
    const paths = ['/hook/1', '/hook/2'];
    for (const path of paths) await fixture.subscribe(path);
    await fixture.postMany(events);
    // Production leases: a slow machine causes no repeated attempts.
    fixture.startProcess({ program: 'main' });
    const total = events * paths.length;
    for (const part of [0.1, 0.4, 0.7]) {
      await fixture.received(part * total);
      await fixture.flushQueue();
    }
    await fixture.settled();
    const ledger = await readLedger(fixture);
    expect([ledger.lines.length, errorsOf(ledger), repeatedIn(ledger)]).toEqual([total, [], []]);
  });
});
