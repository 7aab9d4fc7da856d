// Risk: a thin endpoint gets the whole event, or other bytes than the recorded ones.
import { handlers } from '@finhook/core';
import { verifyServiceSignature } from '@finhook/signing';
import { queueBackends } from '@finhook/testing';
import { describe } from 'vitest';
import { headerOf } from './receipts.ts';
import { workerTest } from './worker-test.ts';

describe.each(queueBackends())('thin events on %s', (name) => {
  const test = workerTest(name);

  test('a batch of 500 rows reaches thin endpoints with IDs only, signed, on the first attempt and on a retry', async ({
    fixture,
    expect,
  }) => {
    const events = ['bank.transaction.posted'];
    const create = (path: string, payload: 'full' | 'thin') =>
      handlers.webhookEndpoints.create(fixture.context, {
        url: `${fixture.receiver.url}${path}`,
        events,
        payload,
        retry_schedule: [1],
      });
    const [thin, , whole] = [
      await create('/thin', 'thin'),
      await create('/also', 'thin'),
      await create('/full', 'full'),
    ];
    fixture.receiver.script('/thin', { status: 500 }, {});
    await fixture.startWorker();
    const row = { posted_at: '2026-01-05T10:00:00Z', amount_cents: 1, description: 'é'.repeat(2_000) };
    const transactions = Array.from({ length: 500 }, (_, n) => ({ external_id: `row-${n}`, ...row }));
    await handlers.bank.transactions.ingest(fixture.context, { company_id: fixture.companyId, transactions });
    await expect.poll(() => fixture.tally(), { timeout: 20_000 }).toMatchObject({ succeeded: 3 });

    const [first, second, ...more] = fixture.arrivals('/thin');
    const [also] = fixture.arrivals('/also');
    const [full] = fixture.arrivals('/full');
    if (!first || !second || !also || !full) throw new Error('Something did not arrive.');
    expect(more).toEqual([]);
    expect(first.body.byteLength).toBeLessThan(24 * 1024);
    expect(full.body.byteLength).toBeGreaterThan(2 * 1024 * 1024);
    expect([second, also].map(({ body }) => body.equals(first.body))).toEqual([true, true]);
    const sent = JSON.parse(first.body.toString());
    const { data, ...envelope } = JSON.parse(full.body.toString());
    expect(sent).toMatchObject({ ...envelope, data: { count: 500, ingest_id: data.ingest_id } });
    expect(sent.data.transaction_ids).toEqual(data.transactions.map(({ id }: { id: string }) => id));
    for (const [request, { secret }] of [[second, thin] as const, [full, whole] as const]) {
      const header = headerOf(request, 'x-service-signature');
      const input = { header, body: request.body, secrets: [secret], now: Date.now() / 1_000 };
      expect(await verifyServiceSignature(input)).toMatchObject({ ok: true });
    }
  });
});
