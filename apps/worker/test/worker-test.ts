import { type QueueBackend, type QueueBackendName, startQueueBackend } from '@finhook/testing';
import { test as base, inject } from 'vitest';
import { openWorkerFixture, type WorkerFixture } from './worker-fixture.ts';

/** A fixture whose queue is on a server of its own, apart from the data. */
export interface FixtureWithBackend extends WorkerFixture {
  readonly backend: QueueBackend;
}

/**
 * The `test` of a suite, with fixtures that a test shares with no other, so that tests run at the same time: `fixture`
 * has its queue in its own database on the run's PostgreSQL, or on a Redis; `stoppable` has it on a server of its own.
 */
export function workerTest(name: QueueBackendName) {
  return (
    base
      // oxlint-disable-next-line no-empty-pattern -- vitest reads from the pattern which fixtures this one needs
      .extend('fixture', async ({}, { onCleanup }): Promise<WorkerFixture> => {
        const opened = name === 'postgres' ? await openWorkerFixture(inject('pgUrl')) : await openWithBackend(name);
        onCleanup(() => opened.close());
        return opened;
      })
      // oxlint-disable-next-line no-empty-pattern -- vitest reads from the pattern which fixtures this one needs
      .extend('stoppable', async ({}, { onCleanup }): Promise<FixtureWithBackend> => {
        const opened = await openWithBackend(name);
        onCleanup(() => opened.close());
        return opened;
      })
  );
}

async function openWithBackend(name: QueueBackendName): Promise<FixtureWithBackend> {
  const backend = await startQueueBackend(name);
  const fixture = await openWorkerFixture(inject('pgUrl'), backend);
  const close = async () => {
    await fixture.close();
    await backend.close();
  };
  return { ...fixture, backend, close };
}
