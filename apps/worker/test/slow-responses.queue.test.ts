// Risk: one slow response delays the other deliveries of its endpoint.
import { queueBackends } from '@finhook/testing';
import { describe } from 'vitest';
import { workerTest } from './worker-test.ts';

describe.each(queueBackends())('an endpoint that holds back a response on %s', (name) => {
  const test = workerTest(name);
  const polling = { timeoutMs: 20_000 };

  test('is disabled by a 410 before that response comes', async ({ fixture, expect }) => {
    const { id } = await fixture.subscribe('/late');
    fixture.receiver.script('/late', { held: true }, { status: 410 });
    await fixture.postMany(2);
    const worker = await fixture.startWorker({ timeoutMs: 60_000 });
    const status = async () => (await fixture.readEndpoint(id)).status;
    await expect.poll(status).toBe('disabled');
    expect(await fixture.tally()).toMatchObject({ accepted: 2, terminal: 1, succeeded: 0 });
    fixture.receiver.release();
    await fixture.drain(worker);
    expect(await fixture.tally()).toMatchObject({ accepted: 2, succeeded: 1 });
    expect(await status()).toBe('disabled');
  });

  test('gets what comes due meanwhile beside it, also beside a change of its description', async ({
    fixture,
    expect,
  }) => {
    const { id } = await fixture.subscribe('/late');
    fixture.receiver.script('/late', { held: true }, {});
    const worker = await fixture.startWorker({ timeoutMs: 60_000 });
    for (const count of [1, 2, 3]) {
      await fixture.post();
      await fixture.receiver.waitFor((requests) => requests.length === count, polling);
      await fixture.updateEndpoint(id, { description: `After ${count}` });
    }
    await expect.poll(() => fixture.tally()).toMatchObject({ accepted: 3, succeeded: 2, leased: 1 });
    fixture.receiver.release();
    await fixture.drain(worker);
    expect(await fixture.tally()).toMatchObject({ accepted: 3, succeeded: 3 });
    expect(fixture.receiver.requests).toHaveLength(3);
  });
});
