// Risk: the console shows no worker while one delivers, or shows requests in flight that have ended.
import { listProcesses } from '@finhook/core';
import { createMetrics } from '@finhook/runtime';
import { queueBackends } from '@finhook/testing';
import { describe } from 'vitest';
import { workerTest } from './worker-test.ts';

describe.each(queueBackends())('a worker on %s', (name) => {
  workerTest(name)(
    'with and without metrics says that it is alive and what it has in flight, and goodbye when it closes',
    async ({ fixture, expect }) => {
      await fixture.subscribe('/slow');
      const processes = () => listProcesses(fixture.core);
      for (const metrics of [undefined, createMetrics()]) {
        fixture.receiver.script('/slow', { held: true }, { fault: 'reset' }, {});
        const worker = await fixture.startWorker({ metrics });
        await expect.poll(processes).toMatchObject([{ role: 'worker', pid: process.pid, gone: false }]);
        await fixture.postMany(3);
        await expect.poll(async () => (await processes())[0]?.inFlight).toBe(1);
        fixture.receiver.release();
        await fixture.drain(worker);
        await expect.poll(async () => (await processes())[0]?.inFlight).toBe(0);
        await worker.close();
        expect(await processes()).toEqual([]);
      }
    },
  );
});
