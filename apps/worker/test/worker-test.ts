import { type QueueBackendName, startQueueBackend } from '@finhook/testing';
import { test as base, inject } from 'vitest';
import {
  openOwnFixture,
  openWorkerFixture,
  openWorkerStores,
  type WorkerFixture,
  type WorkerStores,
} from './worker-fixture.ts';

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

/** Each test has its own stores, so that tests may run at the same time. */
export const aloneTest = (name: QueueBackendName) =>
  // oxlint-disable-next-line no-empty-pattern -- vitest reads from the pattern which fixtures this one needs
  base.extend('fixture', async ({}, { onCleanup }): Promise<WorkerFixture> => {
    const backend = name === 'postgres' ? undefined : await startQueueBackend(name);
    const fixture = await openOwnFixture(inject('pgUrl'), backend);
    onCleanup(async () => {
      await fixture.close();
      await backend?.close();
    });
    return fixture;
  });
