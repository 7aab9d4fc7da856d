import { type FaultProxy, createTestDatabase, type QueueBackend, startFaultProxy } from '@finhook/testing';
import { type ExpectStatic, inject } from 'vitest';
import { openWorkerFixture, type WorkerFixture } from './worker-fixture.ts';

/** A fixture for tests that run at the same time on one server: its database and its queue are its own. */
export interface Lane extends WorkerFixture {
  /** The way to the database that can be cut and held. */
  readonly proxy: FaultProxy;
  /** Resolves when no delivery is scheduled any more. */
  settled(timeoutMs: number): Promise<void>;
}

/** Runs `work` on lane `index` (from 0 to 14) of this backend, and clears it away. `expect` is the test's own. */
export async function onLane(
  { backend, index, expect }: { backend: QueueBackend; index: number; expect: ExpectStatic },
  work: (lane: Lane) => Promise<void>,
): Promise<void> {
  const onPostgres = backend.name === 'postgres';
  const queue = onPostgres ? await createTestDatabase(backend.url) : undefined;
  // A Redis has sixteen databases.
  const queueUrl = queue?.url ?? `${backend.url}/${index + 1}`;
  const fixture = await openWorkerFixture(onPostgres ? backend.url : inject('pgUrl'), queueUrl);
  const proxy = await startFaultProxy(fixture.databaseUrl);
  const lane: Lane = {
    ...fixture,
    proxy,
    settled: (timeout) =>
      expect.poll(async () => (await fixture.tally()).scheduled, { timeout, interval: 200 }).toBe(0),
  };
  try {
    await work(lane);
  } finally {
    await fixture.close();
    await proxy.close();
    await queue?.drop();
  }
}
