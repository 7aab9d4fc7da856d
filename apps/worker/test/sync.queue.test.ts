// Risk: a sync that was asked for never runs, dies with its worker, or stores a provider's rows twice.
import { handlers } from '@finhook/core';
import { type QueueBackend, queueBackends } from '@finhook/testing';
import { describe, expect, test } from 'vitest';
import { useWorkerFixture } from './use-worker-fixture.ts';
import type { WorkerFixture } from './worker-fixture.ts';

const rowsOfPage = 3;

/** What the provider answers for a page: rows of its own, and the next cursor up to page 2. */
function page(number: number): { body: string } {
  const transactions = Array.from({ length: rowsOfPage }, (_, i) => ({
    external_id: `page-${number}-${i}`,
    posted_at: '2026-01-10T00:00:00Z',
    amount_cents: i,
  }));
  return { body: JSON.stringify({ transactions, next_cursor: number < 2 ? String(number + 1) : null }) };
}

describe.each(queueBackends())('syncs, the queue on %s', (name) => {
  let backend: QueueBackend;
  let fixture: WorkerFixture;
  useWorkerFixture(name, (opened, onQueue) => {
    fixture = opened;
    backend = onQueue;
  });

  const connect = async (more: { provider: string; config?: { url: string } }): Promise<string> => {
    const { id } = await handlers.bank.connections.create(fixture.context, { company_id: fixture.companyId, ...more });
    await handlers.bank.connections.setSecret(fixture.context, { connection_id: id, secret: 'token-of-the-test' });
    return id;
  };
  const connectHttp = () => connect({ provider: 'http', config: { url: `${fixture.receiver.url}/bank` } });
  const begin = async (connection_id: string) =>
    (await handlers.bank.connections.sync(fixture.context, { connection_id })).id;
  const statusOf = (sync_id: string) => async () =>
    (await handlers.bank.syncs.get(fixture.context, { sync_id })).status;
  const patience = { timeout: 30_000, interval: 25 };
  const stored = async () => {
    const rows = await fixture.query<{ external_id: string }>('SELECT external_id FROM bank_transaction ORDER BY 1');
    return rows.map(({ external_id }) => external_id);
  };
  const everyRow = [0, 1, 2].flatMap((number) => Array.from({ length: rowsOfPage }, (_, i) => `page-${number}-${i}`));

  test('the sandbox is synced, its end is sent to subscribers, and nothing of it stays in the queue', async () => {
    await fixture.subscribe('/done', ['partner.sync_completed']);
    await fixture.startWorker();
    const connection_id = await connect({ provider: 'sandbox' });
    const sync_id = await begin(connection_id);
    await expect.poll(statusOf(sync_id), patience).toBe('succeeded');
    expect(await handlers.bank.connections.get(fixture.context, { connection_id })).toMatchObject({
      backfill_status: 'complete',
    });
    const [request] = await fixture.receiver.waitFor((requests) => requests.some(({ path }) => path === '/done'));
    const event: unknown = JSON.parse(String(request?.body));
    expect(event).toMatchObject({ type: 'partner.sync_completed', data: { id: sync_id, status: 'succeeded' } });
    await expect
      .poll(() => fixture.producer.counts('connection.sync'), { timeout: 10_000 })
      .toEqual({ waiting: 0, active: 0, delayed: 0 });
  });

  test('a worker that is killed over a page leaves the run to another, which goes on there', async () => {
    fixture.receiver.script('/bank', page(0), { fault: 'hang' });
    const first = fixture.startProcess();
    const sync_id = await begin(await connectHttp());
    await fixture.receiver.waitFor((requests) => requests.some(({ path }) => path.includes('cursor=1')), {
      timeoutMs: 30_000,
    });
    await first.kill();
    expect(await stored()).toEqual(everyRow.slice(0, rowsOfPage));
    fixture.receiver.clear();
    fixture.receiver.script('/bank', page(1), page(2));
    // The minute of its lease passes.
    await fixture.query("UPDATE sync_run SET lease_until = now() - interval '1 second' WHERE id = $1", [sync_id]);
    fixture.startProcess();
    await expect.poll(statusOf(sync_id), patience).toBe('succeeded');
    expect(await stored()).toEqual(everyRow);
    expect(fixture.receiver.requests.map(({ path }) => /cursor=(\d)/.exec(path)?.[1])).toEqual(['1', '2']);
    expect(await handlers.bank.syncs.get(fixture.context, { sync_id })).toMatchObject({
      stats: { transactions_inserted: everyRow.length, transactions_skipped: 0 },
    });
  });

  test('a provider that fails half-way gives a partial sync, and asking again completes it without doubles', async () => {
    fixture.receiver.script('/bank', page(0), { status: 503 });
    await fixture.startWorker();
    const connection_id = await connectHttp();
    await expect.poll(statusOf(await begin(connection_id)), patience).toBe('partial');
    expect(await stored()).toHaveLength(rowsOfPage);
    fixture.receiver.script('/bank', page(0), page(1), page(2));
    await expect.poll(statusOf(await begin(connection_id)), patience).toBe('succeeded');
    expect(await stored()).toEqual(everyRow);
  });

  test('a provider that asks to be left alone is asked again when the time is over, and its sync holds up no other', async () => {
    const busy = { status: 429, headers: { 'retry-after': '6' } };
    fixture.receiver.script('/bank', busy, ...Array.from({ length: 9 }, () => busy), page(2));
    await fixture.startWorker();
    const ids = await Promise.all(Array.from({ length: 10 }, async () => begin(await connectHttp())));
    await fixture.receiver.waitFor((requests) => requests.length === 10);
    const other = await begin(await connect({ provider: 'sandbox' }));
    await expect.poll(statusOf(other), { timeout: 4_000, interval: 25 }).toBe('succeeded');
    for (const sync_id of ids) await expect.poll(statusOf(sync_id), patience).toBe('succeeded');
    expect(fixture.receiver.requests).toHaveLength(20);
  });

  test('a run whose job was lost is found by the reconciler', async () => {
    const sync_id = await begin(await connect({ provider: 'sandbox' }));
    await backend.flush();
    await fixture.startWorker();
    await expect.poll(statusOf(sync_id), patience).toBe('succeeded');
  });
});
