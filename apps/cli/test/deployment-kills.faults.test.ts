// Risk: a delivery is lost or needlessly repeated when the process dies that stores, sends or records it.
import { handlers, openAccount, openCore, systemContext } from '@finhook/core';
import { createMigratedDatabase } from '@finhook/core/test';
import { type Hold, openQueue, queueBackends, startFaultProxy, startReceiver } from '@finhook/testing';
import { describe, inject, test } from 'vitest';
import { deployments } from './service-group.ts';
import { type ServiceName, secretsKey, startService } from './service-process.ts';

const paths = ['/one', '/two', '/three'];
const posts = 20;
const polling = { timeout: 60_000, interval: 100 };

interface Step {
  readonly name: string;
  /** The one that is killed, unless both are one process. */
  readonly of: 'api' | 'worker';
  /** Where the process is held; by default the receiver holds it, by not responding. */
  readonly hold?: Hold;
  /** True if nothing can have been sent. */
  readonly unsent?: boolean;
}

const steps: readonly Step[] = [
  { name: 'before it stores', of: 'api', hold: { statement: 'store_balances', when: 'before' }, unsent: true },
  {
    name: 'after the commit, before the hand-off',
    of: 'api',
    hold: { statement: 'store_balances', when: 'after' },
    unsent: true,
  },
  { name: 'while it sends', of: 'worker' },
  { name: 'after it sent, before it records', of: 'worker', hold: { statement: 'record_attempts', when: 'before' } },
  { name: 'after it recorded, before it knows', of: 'worker', hold: { statement: 'record_attempts', when: 'after' } },
];

const places = queueBackends().flatMap((queue) => deployments.map((each) => ({ queue, ...each })));

describe.concurrent.each(places)('$deployment, the queue on $queue', ({ queue: name, services }) => {
  test.for(steps)(
    'kill -9 $name: nothing is lost, and only what was in flight is repeated',
    async ({ of, hold, unsent }, { expect }) => {
      await using opened = new AsyncDisposableStack();
      const queue = opened.adopt(await openQueue(name, inject('pgUrl')), (each) => each.close());
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
      let apiUrl = '';
      const start = async (service: ServiceName, databaseUrl: string) => {
        const started = startService(service, { databaseUrl, queueUrl: queue.url });
        opened.defer(() => started.kill());
        const url = await started.ready;
        if (service !== 'worker') apiUrl = url;
        return started;
      };
      const post = (day: number) =>
        fetch(`${apiUrl}/api/v1/companies/${account.companyId}/cash/balances`, {
          method: 'POST',
          headers: { authorization: `Bearer ${account.apiKey}`, 'content-type': 'application/json' },
          body: JSON.stringify({
            as_of: new Date(Date.UTC(2001, 0, day)).toISOString().slice(0, 10),
            balance_cents: day,
            currency: 'USD',
          }),
        });

      const running = await Promise.all(services.map((service) => start(service, proxy.url)));
      // The first post of a connection takes another path, and shows the endpoints to the loop.
      if (hold !== undefined) {
        expect((await post(1)).status).toBe(201);
        await expect.poll(() => core.database.query('SELECT FROM due'), polling).toEqual([]);
      }
      const before = receiver.requests.length;
      const held = hold === undefined ? undefined : proxy.hold(hold);
      const posted = Array.from({ length: posts }, (_, i) =>
        post(2 + i).then(
          (response) => response.status,
          () => undefined,
        ),
      );
      await held;
      if (unsent !== true) await expect.poll(() => receiver.requests.length, polling).toBeGreaterThan(before);
      const victim = running.find((each) => each.name === of) ?? running[0];
      await victim?.kill();
      const accepted = (await Promise.all(posted)).filter((status) => status === 201);
      const leased = await core.database.query<{ id: string }>(
        'SELECT delivery_id AS id FROM due WHERE lease_token IS NOT NULL',
      );
      for (const path of paths) receiver.script(path, {});

      await start(victim?.name ?? 'combined', database.url);
      expect((await post(100)).status).toBe(201);
      await expect.poll(() => core.database.query('SELECT FROM due'), polling).toEqual([]);
      const deliveries = await core.database.query<{ id: string; status: string }>('SELECT id, status FROM delivery');
      expect(deliveries.length).toBeGreaterThanOrEqual(paths.length * (accepted.length + 1));
      expect(new Set(deliveries.map(({ status }) => status))).toEqual(new Set(['succeeded']));
      const received = Map.groupBy(receiver.requests, ({ headers }) => String(headers['x-service-delivery']));
      expect(new Set(received.keys())).toEqual(new Set(deliveries.map(({ id }) => id)));
      const repeated = [...received].flatMap(([id, requests]) => (requests.length > 1 ? [id] : []));
      const allowed = new Set(unsent === true ? [] : leased.map(({ id }) => id));
      expect(repeated.filter((id) => !allowed.has(id))).toEqual([]);
    },
  );
});
