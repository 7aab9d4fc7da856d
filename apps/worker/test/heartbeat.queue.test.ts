// Risk: the console shows no worker while one delivers, or requests under way that ended long ago.
import { listProcesses } from '@finhook/core';
import { createMetrics } from '@finhook/platform';
import { type QueueBackend, startQueueBackend } from '@finhook/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { openWorkerFixture, type WorkerFixture } from './worker-fixture.ts';

let backend: QueueBackend;
let fixture: WorkerFixture;

beforeAll(async () => {
  backend = await startQueueBackend('postgres');
});
afterAll(() => backend.close());
beforeEach(async () => {
  fixture = await openWorkerFixture(inject('pgUrl'), backend.url);
});
afterEach(() => fixture.close());

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
