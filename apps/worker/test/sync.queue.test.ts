// Risk: a requested sync never runs, delays others, or stores rows twice.
import { eventDefinition } from '@finhook/contracts';
import { handlers } from '@finhook/core';
import { queueBackends } from '@finhook/testing';
import { describe } from 'vitest';
import { everyRow, page, rowsOfPage, syncsOf } from './sync-fixture.ts';
import { workerTest } from './worker-test.ts';

describe.each(queueBackends())('syncs, the queue on %s', (name) => {
  const test = workerTest(name);

  const polling = { timeout: 30_000, interval: 25 };

  test('the sandbox is synced, subscribers get its end, and no job remains', async ({ fixture, expect }) => {
    const { connect, begin, statusOf } = syncsOf(fixture);
    await fixture.subscribe('/done', { events: ['partner.sync_completed'] });
    await fixture.startWorker();
    const connection_id = await connect({ provider: 'sandbox' });
    const sync_id = await begin(connection_id);
    await expect.poll(statusOf(sync_id), polling).toBe('succeeded');
    expect(await handlers.bank.connections.get(fixture.context, { connection_id })).toMatchObject({
      backfill_status: 'complete',
    });
    const [request] = await fixture.receiver.waitFor((requests) => requests.some(({ path }) => path === '/done'));
    const event = JSON.parse(String(request?.body));
    expect(event).toMatchObject({ type: 'partner.sync_completed', data: { id: sync_id, status: 'succeeded' } });
    expect(eventDefinition('partner.sync_completed').data.parse(event.data)).toEqual(event.data);
    await expect
      .poll(() => fixture.producer.counts('connection.sync'), { timeout: 10_000 })
      .toEqual({ waiting: 0, active: 0, delayed: 0 });
  });

  test('a provider that fails half-way gives a partial sync, and asking again completes it without doubles', async ({
    fixture,
    expect,
  }) => {
    const { connectHttp, begin, statusOf, stored } = syncsOf(fixture);
    fixture.receiver.script('/bank', page(0), { status: 503 });
    await fixture.startWorker();
    const connection_id = await connectHttp();
    await expect.poll(statusOf(await begin(connection_id)), polling).toBe('partial');
    expect(await stored()).toHaveLength(rowsOfPage);
    fixture.receiver.script('/bank', page(0), page(1), page(2));
    await expect.poll(statusOf(await begin(connection_id)), polling).toBe('succeeded');
    expect(await stored()).toEqual(everyRow);
  });

  test('a provider that asks to be left alone is asked again when the time is over, and its sync holds up no other', async ({
    fixture,
    expect,
  }) => {
    const { connect, connectHttp, begin, statusOf } = syncsOf(fixture);
    const busy = { status: 429, headers: { 'retry-after': '3000' } };
    fixture.receiver.script('/bank', busy, ...Array.from({ length: 9 }, () => busy), page(2));
    await fixture.startWorker();
    const ids = await Promise.all(Array.from({ length: 10 }, async () => begin(await connectHttp())));
    await fixture.receiver.waitFor((requests) => requests.length === 10);
    const other = await begin(await connect({ provider: 'sandbox' }));
    await expect.poll(statusOf(other), polling).toBe('succeeded');
    expect(fixture.receiver.requests).toHaveLength(10);
    await fixture.query('UPDATE sync_run SET lease_until = now() WHERE id = ANY ($1)', [ids]);
    for (const sync_id of ids) await expect.poll(statusOf(sync_id), polling).toBe('succeeded');
    expect(fixture.receiver.requests).toHaveLength(20);
  });

  test('a run whose job was lost is found by the reconciler', async ({ fixture, expect }) => {
    const { connect, begin, statusOf } = syncsOf(fixture);
    const sync_id = await begin(await connect({ provider: 'sandbox' }));
    await fixture.flushQueue();
    await fixture.startWorker();
    await expect.poll(statusOf(sync_id), polling).toBe('succeeded');
  });
});
