import { type QueueBackend, type QueueBackendName, startQueueBackend } from '@finhook/testing';
import { beforeAll, beforeEach, inject } from 'vitest';
import { openWorkerFixture, type WorkerFixture } from './worker-fixture.ts';

/**
 * Gives each test of the suite a fixture of its own, on a queue that they have in common, and clears both away. `opened`
 * is called before each test.
 */
export function useWorkerFixture(
  name: QueueBackendName,
  opened: (fixture: WorkerFixture, backend: QueueBackend) => void | Promise<void>,
): void {
  let backend: QueueBackend;

  beforeAll(async () => {
    backend = await startQueueBackend(name);
    return () => backend.close();
  });
  beforeEach(async () => {
    const fixture = await openWorkerFixture(inject('pgUrl'), backend.url);
    await opened(fixture, backend);
    return async () => {
      await fixture.close();
      // A process that was killed leaves its jobs behind.
      if (fixture.processes.length > 0) await backend.flush();
    };
  });
}
