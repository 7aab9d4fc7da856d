// Risk: several processes get in each other's way: an attempt is made twice, or a restart loses what was accepted.
import { type QueueBackend, queueBackends, redisGroups, startQueueBackend, startRedisSentinel } from '@finhook/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { openServiceGroup, type Posted, type ServiceGroup } from './service-group.ts';

const paths = ['/one', '/two', '/flaky'] as const;
let group: ServiceGroup;

/** Compares what was accepted with what arrived and what is recorded, once nothing is due any more. */
async function expectComplete(events: readonly string[], mayRepeat = 0): Promise<void> {
  const { receiver, query } = group;
  const due = () => query('SELECT FROM due LIMIT 1');
  await expect.poll(due, { timeout: 60_000, interval: 100 }).toEqual([]);
  const [recorded] = await query<{ events: number; succeeded: number; others: number; attempts: number }>(
    `SELECT (SELECT count(*)::int FROM event WHERE type = 'bank.balance.updated') AS events,
       count(*) FILTER (WHERE status = 'succeeded')::int AS succeeded,
       count(*) FILTER (WHERE status <> 'succeeded')::int AS others,
       (SELECT count(*)::int FROM attempt) AS attempts FROM delivery`,
  );
  expect(recorded).toMatchObject({ events: events.length, succeeded: paths.length * events.length, others: 0 });
  const header = (name: string) => receiver.requests.map(({ path, headers }) => `${path} ${String(headers[name])}`);
  const expected = events.flatMap((event) => paths.map((path) => `${path} ${event}`));
  expect(new Set(header('webhook-id'))).toEqual(new Set(expected));
  const attempts = receiver.requests.map(
    ({ headers }) => `${String(headers['x-service-delivery'])} ${String(headers['x-service-attempt'])}`,
  );
  expect(attempts.length - new Set(attempts).size).toBeLessThanOrEqual(mayRepeat);
  if (mayRepeat === 0) expect(recorded?.attempts).toBe(attempts.length);
}

async function start(apis: number, workers: number): Promise<void> {
  await Promise.all([
    ...Array.from({ length: apis }, () => group.start('api')),
    ...Array.from({ length: workers }, () => group.start('worker')),
  ]);
  for (const path of paths) await group.subscribe(path);
}

const expectAccepted = ({ statuses }: Posted) => expect([...statuses.keys()]).toEqual([201]);

describe.each([...queueBackends(), ...redisGroups().filter((name) => name === 'redis-cluster')])(
  'several processes, the queue on %s',
  (name) => {
    let backend: QueueBackend;
    beforeAll(async () => {
      backend = await startQueueBackend(name);
    });
    afterAll(() => backend.close());
    beforeEach(async () => {
      group = await openServiceGroup(inject('pgUrl'), backend.url);
    });
    afterEach(async () => {
      await group.close();
      await backend.flush();
    });

    test('C24: three workers and two apis make every attempt once, and the ledger is complete', async () => {
      await start(2, 3);
      const posted = await group.post((accepted) => accepted >= 500);
      expectAccepted(posted);
      expect(posted.sentAgain).toBe(0);
      await expectComplete(posted.events);
    });

    test('C23: a rolling restart under load refuses nothing with a 5xx, cuts nothing off, loses and repeats nothing', async () => {
      await start(2, 2);
      let over = false;
      const posting = group.post((accepted) => over && accepted >= 200);
      for (const kind of ['api', 'worker', 'api', 'worker'] as const) {
        const running = kind === 'api' ? group.apis : group.workers;
        await group.start(kind);
        // It stays in the list while it stops, so that posts run into it.
        expect(await running[0]?.stop(), kind).toBe(0);
        running.shift();
      }
      over = true;
      const posted = await posting;
      expectAccepted(posted);
      expect(posted.cutOff).toBe(0);
      await expectComplete(posted.events);
    });
  },
);

describe.runIf(redisGroups().length > 0)('the queue on redis-sentinel', () => {
  test('the master is killed while events are delivered: the replica takes over, nothing is lost', async () => {
    const redis = await startRedisSentinel();
    group = await openServiceGroup(inject('pgUrl'), redis.url);
    try {
      await start(1, 2);
      let over = false;
      const posting = group.post((accepted) => over && accepted >= 400);
      await group.receiver.waitFor((requests) => requests.length > 200, { timeoutMs: 30_000 });
      await redis.failOver();
      over = true;
      const posted = await posting;
      expectAccepted(posted);
      await expectComplete(posted.events);
      // Wake-ups go through the new master: without them only the reconciler would deliver, a second late.
      const later: string[] = [];
      const postOnce = async () => {
        const [began, seen] = [performance.now(), group.receiver.requests.length];
        later.push(...(await group.post((accepted) => accepted >= 1)).events);
        await group.receiver.waitFor((requests) => requests.length > seen);
        return performance.now() - began;
      };
      await expect.poll(postOnce, { timeout: 30_000 }).toBeLessThan(700);
      await expectComplete([...posted.events, ...later]);
    } finally {
      await group.close();
      await redis.close();
    }
  });
});
