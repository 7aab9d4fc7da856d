import { type QueueBackend, type QueueBackendName, startQueueBackend } from '@finhook/testing';
import { test as base, inject } from 'vitest';
import {
  openOwnFixture,
  openWorkerFixture,
  openWorkerStores,
  type WorkerFixture,
  type WorkerStores,
} from './worker-fixture.ts';

/** A fixture whose queue is on its own server, apart from the data. */
export interface FixtureWithBackend extends WorkerFixture {
  readonly backend: QueueBackend;
}

const onSharedStores = (name: QueueBackendName) =>
  base
    // oxlint-disable-next-line no-empty-pattern -- vitest reads from the pattern which fixtures this one needs
    .extend('stores', { scope: 'worker' }, async ({}, { onCleanup }): Promise<WorkerStores> => {
      const backend = name === 'postgres' ? undefined : await startQueueBackend(name);
      const stores = await openWorkerStores(inject('pgUrl'), backend);
      onCleanup(async () => {
        await stores.close();
        await backend?.close();
      });
      return stores;
    })
    .extend('fixture', async ({ stores }, { onCleanup }): Promise<WorkerFixture> => {
      const fixture = await openWorkerFixture(stores);
      onCleanup(() => fixture.close());
      return fixture;
    });

const shared = { postgres: onSharedStores('postgres'), redis: onSharedStores('redis') };

/**
 * The `test` of a suite whose `fixture` is in the database of its vitest worker, with the queue there or on Redis.
 * Tests run one after another.
 */
export const workerTest = (name: QueueBackendName) => shared[name];

async function openWithBackend(name: QueueBackendName): Promise<FixtureWithBackend> {
  const backend = await startQueueBackend(name);
  const fixture = await openOwnFixture(inject('pgUrl'), backend);
  const close = async () => {
    await fixture.close();
    await backend.close();
  };
  return { ...fixture, backend, close };
}

/**
 * Each test has its own stores, so that tests may run at the same time. The queue of `stoppable` is on its own server.
 */
export const aloneTest = (name: QueueBackendName) =>
  base
    // oxlint-disable-next-line no-empty-pattern -- vitest reads from the pattern which fixtures this one needs
    .extend('fixture', async ({}, { onCleanup }): Promise<WorkerFixture> => {
      const fixture = name === 'postgres' ? await openOwnFixture(inject('pgUrl')) : await openWithBackend(name);
      onCleanup(() => fixture.close());
      return fixture;
    })
    // oxlint-disable-next-line no-empty-pattern -- vitest reads from the pattern which fixtures this one needs
    .extend('stoppable', async ({}, { onCleanup }): Promise<FixtureWithBackend> => {
      const fixture = await openWithBackend(name);
      onCleanup(() => fixture.close());
      return fixture;
    });
