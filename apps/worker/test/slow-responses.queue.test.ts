// Risk: one response that takes long holds up everything else that comes due for its endpoint.
import { setTimeout } from 'node:timers/promises';
import { handlers } from '@finhook/core';
import { queueBackends } from '@finhook/testing';
import { describe } from 'vitest';
import { quickTiming } from './quick-timing.ts';
import { headerOf } from './receipts.ts';
import { workerTest } from './worker-test.ts';

describe.concurrent.each(queueBackends())('an endpoint that responds late on %s', (name) => {
  const test = workerTest(name);

  test('is disabled by a 410 at once, though another response is still to come', async ({ fixture, expect }) => {
    const { id } = await fixture.subscribe('/late');
    fixture.receiver.script('/late', { delayMs: 8_000 }, { status: 410 });
    await fixture.postMany(2);
    await fixture.startWorker();
    await fixture.received(2);
    const second = fixture.receiver.requests[1]?.receivedAt.getTime() ?? 0;
    const status = async () => (await handlers.webhookEndpoints.get(fixture.context, { endpoint_id: id })).status;
    await expect.poll(status).toBe('disabled');
    expect(Date.now()).toBeLessThan(second + 7_000);
    expect(await fixture.tally()).toMatchObject({ accepted: 2, succeeded: 0 });
    await expect.poll(() => fixture.tally()).toMatchObject({ accepted: 2, succeeded: 1 });
    expect(await status()).toBe('disabled');
  });

  test('gets what comes due meanwhile beside it, also beside a change of its description', async ({
    fixture,
    expect,
  }) => {
    const lateMs = 9_000;
    const { id } = await fixture.subscribe('/late');
    fixture.receiver.script('/late', { delayMs: lateMs }, {});
    await fixture.startWorker({ timing: quickTiming });
    const arrivals = async (event: string) => {
      const isIt = (request: (typeof fixture.receiver.requests)[number]) => headerOf(request, 'webhook-id') === event;
      const requests = await fixture.receiver.waitFor((all) => all.some(isIt), { timeoutMs: 15_000 });
      return requests.find(isIt)?.receivedAt.getTime() ?? 0;
    };
    const first = await arrivals(await fixture.post());
    for (const afterMs of [100, 500, 2_000]) {
      await handlers.webhookEndpoints.update(fixture.context, { endpoint_id: id, description: `After ${afterMs} ms` });
      await setTimeout(Math.max(0, first + afterMs - Date.now()));
      expect(await arrivals(await fixture.post())).toBeLessThan(first + afterMs + 3_000);
    }
    await expect.poll(() => fixture.tally()).toMatchObject({ accepted: 4, succeeded: 3, leased: 1 });
    expect(Date.now()).toBeLessThan(first + lateMs);
    await expect.poll(() => fixture.tally()).toMatchObject({ accepted: 4, succeeded: 4 });
    expect(fixture.receiver.requests).toHaveLength(4);
  });
});
