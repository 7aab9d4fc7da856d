// Risk: two workers send the same attempt, or what one of them held is lost when it stops.
import { queueBackends } from '@finhook/testing';
import { describe } from 'vitest';
import { headerOf, receiptsOf } from './receipts.ts';
import type { WorkerFixture } from './worker-fixture.ts';
import { workerTest } from './worker-test.ts';

describe.concurrent.each(queueBackends())('two workers on %s', (name) => {
  const test = workerTest(name);
  const subscribe = async (fixture: WorkerFixture) => {
    for (const index of [1, 2, 3, 4]) await fixture.subscribe(`/hook/${index}`);
  };

  test('C24: they never send the same attempt, though both look for everything', async ({ fixture, expect }) => {
    await subscribe(fixture);
    await Promise.all([fixture.startWorker(), fixture.startWorker()]);
    const posting = fixture.postMany(150);
    // Wake-ups without cause make both workers claim from the same endpoints at the same time.
    const endpoints = await fixture.query<{ id: string }>('SELECT id FROM webhook_endpoint');
    const wakeAll = () => fixture.wake(endpoints.map(({ id }) => id));
    await Promise.all([posting, ...Array.from({ length: 20 }, wakeAll)]);
    await fixture.settled();
    const { requests } = fixture.receiver;
    const attempts = requests.map(
      (request) => `${headerOf(request, 'x-service-delivery')} ${headerOf(request, 'x-service-attempt')}`,
    );
    expect(new Set(attempts).size).toBe(600);
    expect(attempts).toHaveLength(600);
    expect(await fixture.tally()).toMatchObject({ accepted: 600, succeeded: 600 });
  });

  test('C23: a restart in the middle loses nothing and repeats nothing', async ({ fixture, expect }) => {
    await subscribe(fixture);
    const first = await fixture.startWorker();
    await fixture.postMany(300);
    await fixture.received(200);
    await first.close();
    // Hand-offs that were still in the queue.
    await expect.poll(async () => (await fixture.tally()).leased, { timeout: 10_000 }).toBe(0);
    const sentByFirst = fixture.receiver.requests.length;
    await fixture.post();
    await fixture.startWorker();
    await fixture.settled();
    expect(fixture.receiver.requests.length).toBeGreaterThan(sentByFirst);
    const { unique, duplicates } = receiptsOf(fixture.receiver.requests);
    expect(unique.size).toBe(1_204);
    expect(duplicates).toBe(0);
    expect(await fixture.tally()).toMatchObject({ accepted: 1_204, succeeded: 1_204 });
  });
});
