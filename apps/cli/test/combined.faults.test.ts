// Risk: a delivery is lost or needlessly repeated when a process that runs api and worker dies, stops or loses its queue.
import { handlers, openAccount, openCore, systemContext } from '@finhook/core';
import { createMigratedDatabase } from '@finhook/core/test';
import { type Hold, queueBackends, startFaultProxy, startQueueBackend, startReceiver } from '@finhook/testing';
import { describe, inject, onTestFinished, test } from 'vitest';
import { openServiceGroup } from './service-group.ts';
import { secretsKey, startService } from './service-process.ts';

const paths = ['/one', '/two', '/three'];
const posts = 20;
const polling = { timeout: 60_000, interval: 100 };

interface Step {
  readonly name: string;
  /** Where the process is held; by default the receiver holds it, by not responding. */
  readonly hold?: Hold;
  /** True if nothing can have been sent. */
  readonly unsent?: boolean;
}

const steps: readonly Step[] = [
  { name: 'before it stores', hold: { statement: 'store_balances', when: 'before' }, unsent: true },
  {
    name: 'after the commit, before the hand-off',
    hold: { statement: 'store_balances', when: 'after' },
    unsent: true,
  },
  { name: 'while it sends' },
  { name: 'after it sent, before it records', hold: { statement: 'record_attempts', when: 'before' } },
  { name: 'after it recorded, before it knows', hold: { statement: 'record_attempts', when: 'after' } },
];

describe.concurrent.each(queueBackends())('api and worker in one process, the queue on %s', (name) => {
  test.for(steps)(
    'kill -9 $name: nothing is lost, and only what was in flight is repeated',
    { timeout: 120_000 },
    async ({ hold, unsent }, { expect }) => {
      await using opened = new AsyncDisposableStack();
      const queue = opened.adopt(await startQueueBackend(name), (each) => each.close());
      const database = opened.adopt(await createMigratedDatabase(inject('pgUrl')), (each) => each.drop());
      const core = await openCore({ databaseUrl: database.url, secretsKey, allowInsecureWebhooks: true, poolSize: 2 });
      opened.defer(() => core.database.close());
      const receiver = opened.adopt(await startReceiver(), (each) => each.close());
      const proxy = opened.adopt(await startFaultProxy(database.url), (each) => each.close());
      const account = await openAccount(core, { name: 'Acme', mode: 'test', companyName: 'Acme Inc' });
      const context = systemContext(core, account.accountId, 'test');
      for (const path of paths) {
        const endpoint = { url: receiver.url + path, events: ['bank.balance.updated' as const] };
        await handlers.webhookEndpoints.create(context, endpoint);
        if (hold === undefined) receiver.script(path, { fault: 'hang' });
      }
      const start = async (databaseUrl: string) => {
        const service = opened.adopt(startService('combined', { databaseUrl, queueUrl: queue.url }), (each) =>
          each.kill(),
        );
        return { ...service, url: await service.ready };
      };
      const post = (url: string, day: number) =>
        fetch(`${url}/api/v1/companies/${account.companyId}/cash/balances`, {
          method: 'POST',
          headers: { authorization: `Bearer ${account.apiKey}`, 'content-type': 'application/json' },
          body: JSON.stringify({
            as_of: new Date(Date.UTC(2001, 0, day)).toISOString().slice(0, 10),
            balance_cents: day,
            currency: 'USD',
          }),
        });

      const first = await start(proxy.url);
      // The first post of a connection takes another path, and shows the endpoints to the loop.
      if (hold !== undefined) {
        expect((await post(first.url, 1)).status).toBe(201);
        await expect.poll(() => core.database.query('SELECT FROM due'), polling).toEqual([]);
      }
      const before = receiver.requests.length;
      const held = hold === undefined ? undefined : proxy.hold(hold);
      const posted = Array.from({ length: posts }, (_, i) =>
        post(first.url, 2 + i).then(
          (response) => response.status,
          () => undefined,
        ),
      );
      await held;
      const sent = () => receiver.requests.length - before;
      if (unsent !== true) await expect.poll(sent, polling).toBeGreaterThan(0);
      await first.kill();
      const statuses = (await Promise.all(posted)).filter((status) => status !== undefined);
      const leased = await core.database.query<{ id: string }>(
        'SELECT delivery_id AS id FROM due WHERE lease_token IS NOT NULL',
      );
      if (unsent === true) expect(sent()).toBe(0);
      for (const path of paths) receiver.script(path, {});

      const second = await start(database.url);
      expect((await post(second.url, 100)).status).toBe(201);
      await expect.poll(() => core.database.query('SELECT FROM due'), polling).toEqual([]);
      const deliveries = await core.database.query<{ id: string; status: string }>('SELECT id, status FROM delivery');
      expect(deliveries.length).toBeGreaterThanOrEqual(paths.length * (statuses.length + 1));
      expect(new Set(deliveries.map(({ status }) => status))).toEqual(new Set(['succeeded']));
      const received = Map.groupBy(receiver.requests, ({ headers }) => String(headers['x-service-delivery']));
      expect(new Set(received.keys())).toEqual(new Set(deliveries.map(({ id }) => id)));
      const repeated = [...received].flatMap(([id, requests]) => (requests.length > 1 ? [id] : []));
      const allowed = new Set(unsent === true ? [] : leased.map(({ id }) => id));
      expect(repeated.filter((id) => !allowed.has(id))).toEqual([]);
    },
  );
});

// `expectComplete` belongs to one test at a time.
describe.each(queueBackends())('stopping and waiting, the queue on %s', (name) => {
  test('processes that stop in the middle of posts end with 0, and lose and repeat nothing', async ({ expect }) => {
    const queue = await startQueueBackend(name);
    const group = await openServiceGroup(inject('pgUrl'), queue.url);
    onTestFinished(async () => {
      await group.close();
      await queue.close();
    });
    await group.startCombined(2);
    let isOver = false;
    const posting = group.post((accepted) => isOver && accepted >= 100);
    await group.receiver.waitFor((requests) => requests.length > 60, { timeoutMs: 30_000 });
    expect(await group.apis[0]?.stop()).toBe(0);
    await group.start('combined');
    expect(await group.apis[1]?.stop()).toBe(0);
    isOver = true;
    const { events } = await posting;
    await group.expectComplete(events);
  });

  test('while the store of the queue is away, everything is sent once', async ({ expect }) => {
    const queue = await startQueueBackend(name);
    const group = await openServiceGroup(inject('pgUrl'), queue.url);
    onTestFinished(async () => {
      await group.close();
      await queue.close();
    });
    await group.startCombined(1);
    const before = await group.post((accepted) => accepted >= 20);
    await queue.stop();
    const during = await group.post((accepted) => accepted >= 40);
    expect([...during.statuses.keys()]).toEqual([201]);
    await group.expectComplete([...before.events, ...during.events]);
    await queue.start();
    const after = await group.post((accepted) => accepted >= 20);
    await group.expectComplete([before, during, after].flatMap(({ events }) => events));
  });
});
