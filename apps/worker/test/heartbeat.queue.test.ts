// Risk: the console shows no worker while one delivers, or requests under way that ended long ago.
import { listProcesses } from '@finhook/core';
import { createMetrics } from '@finhook/runtime';
import { queueBackends } from '@finhook/testing';
import { describe } from 'vitest';
import { quickTiming } from './quick-timing.ts';
import { workerTest } from './worker-test.ts';

describe.concurrent.each(queueBackends())('a worker on %s', (name) => {
  const test = workerTest(name);

  test.for(['without', 'with'])(
    '%s metrics says that it is alive and what it has in flight, and goodbye when it closes',
    async (metrics, { fixture, expect }) => {
      await fixture.subscribe('/slow');
      fixture.receiver.script('/slow', { delayMs: 1_500 }, { fault: 'reset' }, {});
      const worker = await fixture.startWorker({
        timing: quickTiming,
        ...(metrics === 'with' && { metrics: createMetrics() }),
      });
      const seen = () => listProcesses(fixture.core);
      await expect.poll(seen).toMatchObject([{ role: 'worker', pid: process.pid, gone: false }]);
      await fixture.postMany(3);
      await expect.poll(async () => (await seen())[0]?.inFlight).toBeGreaterThan(0);
      await expect.poll(async () => (await fixture.tally()).leased).toBe(0);
      await expect.poll(async () => (await seen())[0]?.inFlight).toBe(0);
      await worker.close();
      expect(await seen()).toEqual([]);
    },
  );
});
