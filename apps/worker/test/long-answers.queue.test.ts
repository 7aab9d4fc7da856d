// Risk: one answer that takes long holds up everything else that comes due for its endpoint.
import { handlers } from '@finhook/core';
import { queueBackends } from '@finhook/testing';
import { describe, expect, test } from 'vitest';
import { headerOf } from './receipts.ts';
import { useWorkerFixture } from './use-worker-fixture.ts';
import type { WorkerFixture } from './worker-fixture.ts';

describe.each(queueBackends())('an endpoint that answers late on %s', (name) => {
  let fixture: WorkerFixture;
  useWorkerFixture(name, (opened) => {
    fixture = opened;
  });

  test('is disabled by a 410 at once, though another answer is still to come', async () => {
    const { id } = await fixture.subscribe('/late');
    fixture.receiver.script('/late', { delayMs: 8_000 }, { status: 410 });
    await fixture.postMany(2);
    await fixture.startWorker();
    await fixture.receiver.waitFor((requests) => requests.length >= 2, { timeoutMs: 15_000 });
    const second = fixture.receiver.requests[1]?.receivedAt.getTime() ?? 0;
    const status = async () => (await handlers.webhookEndpoints.get(fixture.context, { endpoint_id: id })).status;
    await expect.poll(status, { timeout: 7_000 }).toBe('disabled');
    expect(Date.now()).toBeLessThan(second + 7_000);
    expect(await fixture.tally()).toMatchObject({ accepted: 2, succeeded: 0 });
    await expect.poll(() => fixture.tally(), { timeout: 10_000 }).toMatchObject({ accepted: 2, succeeded: 1 });
    expect(await status()).toBe('disabled');
  }, 30_000);

  test('gets what comes due meanwhile beside it, also after the time of a slice is over, and beside a change of its description', async () => {
    const lateMs = 11_000;
    const { id } = await fixture.subscribe('/late');
    fixture.receiver.script('/late', { delayMs: lateMs }, {});
    await fixture.startWorker();
    const arrivals = async (event: string) => {
      const isIt = (request: (typeof fixture.receiver.requests)[number]) => headerOf(request, 'webhook-id') === event;
      const requests = await fixture.receiver.waitFor((all) => all.some(isIt), { timeoutMs: 15_000 });
      return requests.find(isIt)?.receivedAt.getTime() ?? 0;
    };
    const first = await arrivals(await fixture.post());
    // A slice begins requests for five seconds.
    for (const afterMs of [300, 2_500, 6_500]) {
      await handlers.webhookEndpoints.update(fixture.context, { endpoint_id: id, description: `After ${afterMs} ms` });
      await new Promise((resolve) => setTimeout(resolve, first + afterMs - Date.now()));
      expect(await arrivals(await fixture.post())).toBeLessThan(first + afterMs + 2_000);
    }
    await expect.poll(() => fixture.tally()).toMatchObject({ accepted: 4, succeeded: 3, leased: 1 });
    expect(Date.now()).toBeLessThan(first + lateMs);
    await expect.poll(() => fixture.tally(), { timeout: 15_000 }).toMatchObject({ accepted: 4, succeeded: 4 });
    expect(fixture.receiver.requests).toHaveLength(4);
  }, 60_000);
});
