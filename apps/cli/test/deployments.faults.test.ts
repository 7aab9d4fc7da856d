// Risk: a service that stops, starts or loses a store loses, repeats or delays deliveries, or rejects requests.
import { openQueue, queueBackends, startQueueBackend, withClient } from '@finhook/testing';
import { describe, inject, onTestFinished, test } from 'vitest';
import { deployments, openServiceGroup, type ServiceGroup } from './service-group.ts';
import { type ServiceName, startService } from './service-process.ts';

const names: readonly ServiceName[] = ['api', 'worker', 'combined'];
const waits = 'the database is unavailable';

async function openGroup(adminUrl: string, queueUrl: string): Promise<ServiceGroup> {
  const group = await openServiceGroup(adminUrl, queueUrl);
  onTestFinished(() => group.close());
  return group;
}

async function openBackend(name: Parameters<typeof startQueueBackend>[0]) {
  const backend = await startQueueBackend(name);
  onTestFinished(() => backend.close());
  return backend;
}

describe.each(queueBackends())('the queue on %s', (name) => {
  describe.each(deployments)('$deployment', ({ services }) => {
    test('each process is replaced in the middle of posts: no post is rejected, and nothing is lost or repeated', async ({
      expect,
    }) => {
      const queue = await openQueue(name, inject('pgUrl'));
      onTestFinished(() => queue.close());
      const group = await openGroup(inject('pgUrl'), queue.url);
      await group.startAll(services);
      let isOver = false;
      const posting = group.post((accepted) => isOver && accepted >= 100);
      for (const [index, service] of services.entries()) {
        const before = group.receiver.requests.length;
        await group.receiver.waitFor((requests) => requests.length > before + 30, { timeoutMs: 30_000 });
        await group.start(service);
        expect(await group.processes[index]?.stop()).toBe(0);
      }
      isOver = true;
      const { events, statuses, cutOff } = await posting;
      expect([[...statuses.keys()], cutOff]).toEqual([[201], 0]);
      await group.expectComplete(events);
    });

    test('while the store of the queue is away, everything is accepted and sent once', async ({ expect }) => {
      const queue = await openBackend(name);
      const group = await openGroup(inject('pgUrl'), queue.url);
      await group.startAll(services);
      const before = await group.post((accepted) => accepted >= 20);
      await queue.stop();
      const during = await group.post((accepted) => accepted >= 40);
      await group.expectComplete([...before.events, ...during.events]);
      await queue.start();
      const after = await group.post((accepted) => accepted >= 20);
      const parts = [before, during, after];
      expect(parts.flatMap(({ statuses }) => [...statuses.keys()])).toEqual([201, 201, 201]);
      await group.expectComplete(parts.flatMap(({ events }) => events));
    });

    test('processes that start while PostgreSQL is away wait for it, and survive its restart: nothing is lost', async ({
      expect,
    }) => {
      const data = await openBackend('postgres');
      const queue = name === 'postgres' ? data : await openBackend(name);
      const group = await openGroup(data.url, queue.url);
      await data.stop();
      const starting = group.startAll(services);
      const waiting = () => group.processes.map((each) => each.log().includes(waits));
      await expect.poll(waiting, { timeout: 30_000 }).toEqual(services.map(() => true));
      await data.start();
      await starting;
      let isOver = false;
      const posting = group.post((accepted) => isOver && accepted >= 100);
      await group.receiver.waitFor((requests) => requests.length > 60, { timeoutMs: 30_000 });
      await data.stop();
      await data.start();
      isOver = true;
      const { events, statuses } = await posting;
      expect([201, 503]).toEqual(expect.arrayContaining([...statuses.keys()]));
      await group.expectComplete(events, { mayRepeat: true });
    });
  });

  test('one process that stops serves requests until its worker has ended, and leaves their deliveries to others', async ({
    expect,
  }) => {
    const queue = await openQueue(name, inject('pgUrl'));
    onTestFinished(() => queue.close());
    const group = await openGroup(inject('pgUrl'), queue.url);
    await group.startAll(['combined']);
    const postSome = () => group.post((accepted) => accepted >= 1);
    const [first] = group.apis;
    const health = async (path: string) => {
      const response = await fetch(`${first?.url}${path}`);
      return [response.status, response.headers.get('connection'), await response.json()];
    };
    group.receiver.script('/one', { held: true });
    const sent = await postSome();
    const { length: inFlight } = sent.events;
    const heldRequests = () => group.receiver.requests.filter(({ path }) => path === '/one').length;
    await expect.poll(heldRequests).toBe(inFlight);
    const { stopping, blocked } = await withClient(group.databaseUrl, async (client) => {
      await client.query('BEGIN; LOCK TABLE cash_balance IN ACCESS EXCLUSIVE MODE');
      const posting = postSome();
      const isBlocked = async () => (await client.query('SELECT FROM pg_locks WHERE NOT granted')).rowCount;
      await expect.poll(isBlocked).toBeGreaterThan(0);
      const exit = first?.stop();
      const closes = [503, 'close', expect.objectContaining({ status: 'stopping' })];
      for (const path of ['/healthz', '/readyz']) await expect.poll(() => health(path)).toEqual(closes);
      await client.query('COMMIT');
      return { stopping: exit, blocked: await posting };
    });
    const late = await postSome();
    const unsent = [...blocked.events, ...late.events];
    const states = () =>
      group.core.database.query(
        `SELECT lease_token IS NULL AND due_at <= now() AND attempt_count = 0 AS is_free, count(*)::int FROM due
         WHERE event_id = ANY ($1) GROUP BY 1`,
        [unsent],
      );
    await expect.poll(states).toEqual([{ is_free: true, count: 3 * unsent.length }]);
    expect([heldRequests(), group.receiver.release('/one')]).toEqual([inFlight, inFlight]);
    expect(await stopping).toBe(0);
    group.receiver.script('/one', {});
    await group.start('combined');
    await group.expectComplete([sent, blocked, late].flatMap(({ events }) => events));
    expect([sent, blocked, late].map(({ statuses, sentAgain }) => [[...statuses.keys()], sentAgain])).toEqual(
      [1, 2, 3].map(() => [[201], 0]),
    );
  });
});

test.for(names)('%s that is stopped while it waits for its database ends with 0', async (name, { expect }) => {
  const away = 'postgres://finhook@127.0.0.1:1/finhook';
  const service = startService(name, { databaseUrl: away, queueUrl: away });
  onTestFinished(() => service.kill());
  await expect.poll(() => service.log(), { timeout: 30_000 }).toContain(waits);
  expect(await service.stop()).toBe(0);
  expect(service.log()).not.toContain('"level":"error"');
});
