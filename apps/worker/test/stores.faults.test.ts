// Risk: a killed worker, a flushed or unavailable queue, or a restarted database loses an accepted delivery.
import { queueBackends, startQueueBackend } from '@finhook/testing';
import { describe, expect as globalExpect } from 'vitest';
import { errorsOf, readLedger, repeatedIn } from './ledger.ts';
import { receiptsOf } from './receipts.ts';
import { openOwnFixture, type WorkerFixture } from './worker-fixture.ts';
import { aloneTest } from './worker-test.ts';

const events = 400;
const endpoints = [1, 2];
const total = events * endpoints.length;
/** Maximum of sends and unrecorded results of one endpoint. */
const inFlightPerEndpoint = 64 + 256;

/** Production leases and timeouts: a slow machine causes no repeated attempts. */
const production = { program: 'main' } as const;

async function subscribeAll(fixture: WorkerFixture): Promise<void> {
  for (const index of endpoints) await fixture.subscribe(`/hook/${index}`);
}

async function prepare(fixture: WorkerFixture): Promise<void> {
  await subscribeAll(fixture);
  await fixture.postMany(events);
}

/** Waits until every delivery has ended, then compares accepted with received. */
async function expectNothingLost(fixture: WorkerFixture, atMostTwice: number): Promise<void> {
  await fixture.settled();
  const { accepted, terminal, scheduled, succeeded } = await fixture.tally();
  globalExpect(accepted - terminal - scheduled).toBe(0);
  globalExpect(succeeded).toBe(total);
  const { unique, duplicates } = receiptsOf(fixture.receiver.requests);
  globalExpect(unique.size).toBe(total);
  globalExpect(duplicates).toBeLessThanOrEqual(atMostTwice);
}

describe.concurrent.each(queueBackends())(`${total} deliveries, the queue on %s`, (name) => {
  const test = aloneTest(name);

  test('kill -9 of the worker loses nothing and repeats at most what it held', async ({ fixture, expect }) => {
    await prepare(fixture);
    const first = fixture.startProcess();
    await fixture.received(total / 4);
    await first.kill();
    const { leased } = await fixture.tally();
    expect(fixture.receiver.requests.length).toBeLessThan(total);
    fixture.startProcess(production);
    await expectNothingLost(fixture, Math.min(leased, endpoints.length * inFlightPerEndpoint));
  });

  test('flushing the queue again and again loses and repeats nothing', async ({ fixture }) => {
    await prepare(fixture);
    fixture.startProcess(production);
    for (const part of [0.1, 0.4, 0.7]) {
      await fixture.received(part * total);
      await fixture.flushQueue();
    }
    await expectNothingLost(fixture, 0);
  });

  test('a restart of PostgreSQL loses nothing and repeats at most what was in flight', async () => {
    const data = await startQueueBackend('postgres');
    const queue = name === 'postgres' ? undefined : await startQueueBackend(name);
    const fixture = await openOwnFixture(data.url, queue);
    try {
      await prepare(fixture);
      fixture.startProcess();
      await fixture.received(total / 4);
      await data.stop();
      await data.start();
      await expectNothingLost(fixture, endpoints.length * inFlightPerEndpoint);
    } finally {
      await fixture.close();
      await queue?.close();
      await data.close();
    }
  });

  test('SIGTERM in the middle ends with code 0, loses and repeats nothing', async ({ fixture, expect }) => {
    await prepare(fixture);
    const first = fixture.startProcess(production);
    await fixture.received(total / 4);
    expect(await first.stop()).toBe(0);
    expect((await fixture.tally()).leased).toBe(0);
    fixture.startProcess(production);
    await expectNothingLost(fixture, 0);
  });

  test('restarts of the store of the queue lose and repeat nothing', async ({ stoppable: fixture, expect }) => {
    await subscribeAll(fixture);
    fixture.startProcess(production);
    const posting = fixture.postMany(events);
    for (const part of [0.1, 0.5]) {
      await fixture.received(part * total);
      await fixture.backend.stop();
      await fixture.backend.start();
    }
    await posting;
    await fixture.postMany(100);
    await fixture.settled();
    const ledger = await readLedger(fixture);
    expect(ledger.lines).toHaveLength(total + 100 * endpoints.length);
    expect(errorsOf(ledger)).toEqual([]);
    expect(repeatedIn(ledger)).toEqual([]);
  });
});
