// Risk: nobody hears of a disabled endpoint, an outage of the outgoing proxy spends attempts and shows its password, or
// what is due by the clock never runs.
import { handlers } from '@finhook/core';
import { queueBackends, startConnectProxy } from '@finhook/testing';
import { describe } from 'vitest';
import { workerTest } from './worker-test.ts';

describe.concurrent.each(queueBackends())('a worker on %s', (name) => {
  const test = workerTest(name);

  test('an endpoint that is gone is told of, signed and once, to the one that asks', async ({ fixture, expect }) => {
    const { receiver } = fixture;
    receiver.script('/gone', { status: 410 });
    const gone = await fixture.subscribe('/gone');
    await fixture.subscribe('/all', []);
    await handlers.webhookEndpoints.create(fixture.context, {
      url: `${receiver.url}/ops`,
      events: ['company.created'],
      operational: true,
    });
    const worker = await fixture.startWorker();
    await fixture.post();
    await worker.drain();
    await worker.drain();
    const typesAt = (path: string) =>
      receiver.requests
        .filter((request) => request.path === path)
        .map(({ headers }) => headers['x-service-event'])
        .toSorted();
    expect(typesAt('/ops')).toEqual(['delivery.exhausted', 'webhook_endpoint.disabled']);
    expect(typesAt('/all')).toEqual(['bank.balance.updated']);
    expect(typesAt('/gone')).toEqual(['bank.balance.updated']);
    expect((await handlers.webhookEndpoints.get(fixture.context, { endpoint_id: gone.id })).status).toBe('disabled');
  });

  test('endpoints behind one broken host that fail in the same second are hardly told of each other', async ({
    fixture,
    expect,
  }) => {
    const count = 12;
    for (let n = 0; n < count; n++) {
      fixture.receiver.script(`/broken/${n}`, n % 2 === 0 ? { status: 500 } : { fault: 'reset' });
      await fixture.subscribe(`/broken/${n}`, []);
    }
    await fixture.startWorker();
    await fixture.postMany(10);
    const told = 'SELECT FROM webhook_endpoint WHERE failing_notified_at IS NOT NULL';
    await expect.poll(() => fixture.query(told), { timeout: 20_000 }).toHaveLength(count);
    const notices = await fixture.query(`SELECT FROM delivery WHERE event_type = 'webhook_endpoint.failing'`);
    // Of 132, if each were told of all others. On a busy machine some fail later than within a second.
    expect(notices.length).toBeLessThan(44);
  });

  test('a worker that starts does what is due by the clock: the audit log is sealed', async ({ fixture, expect }) => {
    await fixture.startWorker();
    await expect.poll(() => fixture.query('SELECT FROM audit_seal LIMIT 1'), { timeout: 10_000 }).toHaveLength(1);
  });

  test('deliveries go through the proxy; while it rejects this installation they wait, unspent and unblamed', async ({
    fixture,
    expect,
  }) => {
    let open = false;
    await using proxy = await startConnectProxy({ statusFor: () => (open ? 200 : 407) });
    const endpoint = await fixture.subscribe('/hook');
    const password = 'CANARY-s3cret';
    await fixture.startWorker({ proxyUrl: `http://finhook:${password}@127.0.0.1:${proxy.port}` });
    await fixture.post();
    const lines = () => fixture.logLines.join('\n');
    await expect.poll(lines, { timeout: 10_000 }).toContain('check WEBHOOK_PROXY_URL');
    expect(await fixture.tally()).toMatchObject({ accepted: 1, scheduled: 1 });
    const asked = proxy.tunnels.length;
    await expect.poll(() => proxy.tunnels.length, { timeout: 10_000 }).toBeGreaterThan(asked + 2);
    expect(fixture.logLines.filter((line) => line.includes('check WEBHOOK_PROXY_URL'))).toHaveLength(1);
    open = true;
    await fixture.received(1, 10_000);
    expect(fixture.receiver.requests[0]?.headers).toMatchObject({ 'x-service-attempt': '1' });
    expect(await handlers.webhookEndpoints.get(fixture.context, { endpoint_id: endpoint.id })).toMatchObject({
      consecutive_failures: 0,
    });
    expect(proxy.tunnels.at(-1)?.target).toBe(`127.0.0.1:${fixture.receiver.port}`);
    expect(lines()).not.toContain(password);
    expect(lines()).not.toContain(Buffer.from(`finhook:${password}`).toString('base64'));
  });
});
