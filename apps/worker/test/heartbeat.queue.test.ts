// Risk: the console shows no worker while one delivers, or requests under way that ended long ago.
import { listProcesses } from '@finhook/core';
import { createMetrics } from '@finhook/platform';
import { describe, expect, test } from 'vitest';
import { useWorkerFixture } from './use-worker-fixture.ts';
import type { WorkerFixture } from './worker-fixture.ts';

let fixture: WorkerFixture;
useWorkerFixture('postgres', (opened) => {
  fixture = opened;
});

describe.each(['without', 'with'])('a worker %s metrics', (metrics) => {
  test('says that it is alive and what it has in flight, and goodbye when it closes', async () => {
    await fixture.subscribe('/slow');
    fixture.receiver.script('/slow', { delayMs: 6_000 }, { fault: 'reset' }, {});
    const worker = await fixture.startWorker(metrics === 'with' ? { metrics: createMetrics() } : {});
    const seen = () => listProcesses(fixture.core);
    await expect.poll(seen, { timeout: 5_000 }).toMatchObject([{ role: 'worker', pid: process.pid, gone: false }]);
    await fixture.postMany(3);
    await expect.poll(async () => (await seen())[0]?.inFlight, { timeout: 7_000 }).toBeGreaterThan(0);
    await expect.poll(async () => (await fixture.tally()).leased, { timeout: 10_000 }).toBe(0);
    await expect.poll(async () => (await seen())[0]?.inFlight, { timeout: 7_000 }).toBe(0);
    await worker.close();
    expect(await seen()).toEqual([]);
  });
});
