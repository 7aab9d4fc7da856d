// Risk: two workers send the same attempt, or deliveries of a stopped worker are lost.
import { queueBackends } from '@finhook/testing';
import { describe } from 'vitest';
import { errorsOf, readLedger, repeatedIn } from './ledger.ts';
import type { WorkerFixture } from './worker-fixture.ts';
import { workerTest } from './worker-test.ts';

describe.each(queueBackends())('two workers on %s', (name) => {
  const test = workerTest(name);
  const subscribe = (fixture: WorkerFixture) =>
    Promise.all([1, 2, 3, 4].map(async (index) => (await fixture.subscribe(`/hook/${index}`)).id));

  test('never send the same attempt, though both look for everything', async ({ fixture, expect }) => {
    const ids = await subscribe(fixture);
    await Promise.all([fixture.startWorker(), fixture.startWorker()]);
    // Makes both workers claim from the same endpoints at the same time.
    const wakeUps = Array.from({ length: 20 }, () => fixture.wake(ids));
    await Promise.all([fixture.postMany(40), ...wakeUps]);
    await fixture.settled();
    const ledger = await readLedger(fixture);
    expect([ledger.lines.length, errorsOf(ledger), repeatedIn(ledger)]).toEqual([160, [], []]);
  });
});
