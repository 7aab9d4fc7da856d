// Risk: two workers send the same attempt, or what one of them held is lost when it stops.
import { queueBackends } from '@finhook/testing';
import { describe, expect, test } from 'vitest';
import { headerOf, receiptsOf } from './receipts.ts';
import { useWorkerFixture } from './use-worker-fixture.ts';
import type { WorkerFixture } from './worker-fixture.ts';

describe.each(queueBackends())('two workers on %s', (name) => {
  let fixture: WorkerFixture;
  useWorkerFixture(name, async (opened) => {
    fixture = opened;
    for (const index of [1, 2, 3, 4]) await fixture.subscribe(`/hook/${index}`);
  });

  const waitUntilSent = () => expect.poll(() => fixture.tally(), { timeout: 60_000 }).toMatchObject({ scheduled: 0 });

  test('C24: they never send the same attempt, though both look for everything', async () => {
    await Promise.all([fixture.startWorker(), fixture.startWorker()]);
    const posting = fixture.postMany(400);
    // Wake-ups without cause make both workers claim from the same endpoints at the same time.
    const endpoints = await fixture.query<{ id: string }>('SELECT id FROM webhook_endpoint');
    const wakeAll = () => fixture.producer.wake(endpoints.map(({ id }) => id));
    await Promise.all([posting, ...Array.from({ length: 20 }, wakeAll)]);
    await waitUntilSent();
    const { requests } = fixture.receiver;
    const attempts = requests.map(
      (request) => `${headerOf(request, 'x-service-delivery')} ${headerOf(request, 'x-service-attempt')}`,
    );
    expect(new Set(attempts).size).toBe(1_600);
    expect(attempts).toHaveLength(1_600);
    expect(await fixture.tally()).toMatchObject({ accepted: 1_600, succeeded: 1_600 });
  });

  test('C23: a restart in the middle loses nothing and repeats nothing', async () => {
    const first = await fixture.startWorker();
    await fixture.postMany(1_000);
    await fixture.receiver.waitFor((requests) => requests.length > 200, { timeoutMs: 20_000 });
    await first.close();
    expect((await fixture.tally()).leased).toBe(0);
    const sentByFirst = fixture.receiver.requests.length;
    await fixture.post();
    await fixture.startWorker();
    await waitUntilSent();
    expect(fixture.receiver.requests.length).toBeGreaterThan(sentByFirst);
    const { unique, duplicates } = receiptsOf(fixture.receiver.requests);
    expect(unique.size).toBe(4_004);
    expect(duplicates).toBe(0);
    expect(await fixture.tally()).toMatchObject({ accepted: 4_004, succeeded: 4_004 });
  });
});
