// Risk: large events of many endpoints take more memory than a worker has, arrive cut or out of order, or not at all.
import { handlers } from '@finhook/core';
import { queueBackends } from '@finhook/testing';
import { describe } from 'vitest';
import { headerOf } from './receipts.ts';
import { workerTest } from './worker-test.ts';

describe.each(queueBackends())('large bodies on %s', (name) => {
  const test = workerTest(name);

  test('large events arrive whole at many endpoints at once, in order where that is asked for', async ({
    fixture,
    expect,
  }) => {
    for (let i = 0; i < 4; i++) {
      await fixture.subscribe(`/large/${i}`, { events: ['bank.transaction.posted'], ordered: i === 0 });
    }
    const posted = { posted_at: '2026-01-05T10:00:00Z', amount_cents: 1, description: 'é'.repeat(2_000) };
    for (let n = 0; n < 4; n++) {
      const transactions = Array.from({ length: 250 }, (_, i) => ({ external_id: `row-${n}-${i}`, ...posted }));
      await handlers.bank.transactions.ingest(fixture.context, { company_id: fixture.companyId, transactions });
    }
    await fixture.startWorker();
    await fixture.received(16);
    await expect.poll(() => fixture.tally(), { timeout: 10_000 }).toMatchObject({ accepted: 16, succeeded: 16 });

    const stored = await fixture.query<{ id: string; body: string }>('SELECT id, body FROM event ORDER BY position');
    const bodies = new Map(stored.map(({ id, body }) => [id, Buffer.from(body)]));
    const arrivals = fixture.receiver.requests.map((request) => ({ request, id: headerOf(request, 'webhook-id') }));
    expect(arrivals).toHaveLength(16);
    for (const { request, id } of arrivals) {
      expect(request.body.byteLength).toBeGreaterThan(1024 * 1024);
      expect(bodies.get(id)?.equals(request.body)).toBe(true);
    }
    const ordered = arrivals.filter(({ request }) => request.path === '/large/0');
    expect(ordered.map(({ id }) => id)).toEqual(
      [...bodies.keys()].filter((id) => ordered.some((one) => one.id === id)),
    );
  });
});
