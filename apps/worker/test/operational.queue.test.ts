// Risk: nobody is notified of a disabled endpoint, an outage of the outgoing proxy uses up attempts or logs its
// password, or maintenance never runs.
import { queueBackends, startConnectProxy } from '@finhook/testing';
import { describe } from 'vitest';
import { workerTest } from './worker-test.ts';

describe.each(queueBackends())('a worker on %s', (name) => {
  const test = workerTest(name);

  test('notifies a subscribed endpoint of a disabled one, once, and seals the audit log', async ({
    fixture,
    expect,
  }) => {
    const { receiver } = fixture;
    receiver.script('/gone', { status: 410 });
    const gone = await fixture.subscribe('/gone');
    await fixture.subscribe('/all', { events: [] });
    await fixture.subscribe('/ops', { events: ['company.created'], operational: true });
    const seals = async () => (await fixture.query('SELECT FROM audit_seal')).length;
    const before = await seals();
    // The queue holds the schedule of maintenance.
    await fixture.flushQueue();
    const worker = await fixture.startWorker();
    await fixture.post();
    await fixture.drain(worker);
    await fixture.drain(worker);
    const typesAt = (path: string) => fixture.arrivals(path).map(({ headers }) => headers['x-service-event']);
    expect(typesAt('/ops').toSorted()).toEqual(['delivery.exhausted', 'webhook_endpoint.disabled']);
    expect(typesAt('/all')).toEqual(['bank.balance.updated']);
    expect(typesAt('/gone')).toEqual(['bank.balance.updated']);
    expect((await fixture.readEndpoint(gone.id)).status).toBe('disabled');
    // Maintenance runs when a worker starts.
    await expect.poll(seals, { timeout: 10_000 }).toBeGreaterThan(before);
  });

  test('delivers through the proxy; while that rejects this installation, deliveries wait, unspent and unblamed', async ({
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
    await fixture.received(1);
    expect(fixture.receiver.requests[0]?.headers).toMatchObject({ 'x-service-attempt': '1' });
    expect((await fixture.readEndpoint(endpoint.id)).consecutive_failures).toBe(0);
    expect(proxy.tunnels.at(-1)?.target).toBe(`127.0.0.1:${fixture.receiver.port}`);
    for (const secret of [password, btoa(`finhook:${password}`)]) expect(lines()).not.toContain(secret);
  });
});
