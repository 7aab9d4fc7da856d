// Risk: a killed worker, a flushed queue or a restarted database loses a delivery that was accepted.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@finhook/embedded';
import { type QueueBackend, queueBackends, startQueueBackend } from '@finhook/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { receiptsOf } from './receipts.ts';
import { openWorkerFixture, type WorkerFixture } from './worker-fixture.ts';

const events = 2_500;
const endpoints = [1, 2, 3, 4];
const total = events * endpoints.length;
/** Sends and results that a worker has under way for one endpoint at most. */
const inFlightPerEndpoint = 64 + 256;

/** Where the data is: with the queue on PostgreSQL it is the same server, as it is where nothing but PostgreSQL runs. */
interface DataServer {
  readonly url: string;
  restart(): Promise<void>;
  close(): Promise<void>;
}

async function startDataServer(backend: QueueBackend): Promise<DataServer> {
  if (backend.name === 'postgres') {
    const restart = async () => {
      await backend.stop();
      await backend.start();
    };
    return { url: backend.url, restart, close: async () => undefined };
  }
  const dir = mkdtempSync(join(tmpdir(), `finhook-test-${process.pid}-`));
  chmodSync(dir, 0o711);
  const postgres: EmbeddedPostgres = await startEmbeddedPostgres({
    dataDir: join(dir, 'postgres'),
    port: 0,
    durable: false,
  });
  const close = async () => {
    await postgres.stop();
    rmSync(dir, { recursive: true, force: true });
  };
  return { url: postgres.url('postgres'), restart: postgres.restart, close };
}

describe.each(queueBackends())('10 000 deliveries, the queue on %s', (name) => {
  let backend: QueueBackend;
  let data: DataServer;
  let fixture: WorkerFixture;

  beforeAll(async () => {
    backend = await startQueueBackend(name);
    data = await startDataServer(backend);
  });
  afterAll(async () => {
    await data.close();
    await backend.close();
  });
  beforeEach(async () => {
    fixture = await openWorkerFixture(data.url, backend.url);
    for (const index of endpoints) await fixture.subscribe(`/hook/${index}`);
    await fixture.postMany(events);
  });
  afterEach(async () => {
    await fixture.close();
    // A process that was killed leaves its jobs behind.
    await backend.flush();
  });

  const waitForRequests = (count: number) =>
    fixture.receiver.waitFor((requests) => requests.length >= count, { timeoutMs: 40_000 });
  /** Until every delivery has ended, then compares what was accepted with what arrived. */
  const expectNothingLost = async (atMostTwice: number) => {
    const unfinished = async () => (await fixture.tally()).scheduled;
    await expect.poll(unfinished, { timeout: 50_000, interval: 100 }).toBe(0);
    const { accepted, terminal, scheduled, succeeded } = await fixture.tally();
    expect(accepted - terminal - scheduled).toBe(0);
    expect(succeeded).toBe(total);
    const { unique, duplicates } = receiptsOf(fixture.receiver.requests);
    expect(unique.size).toBe(total);
    expect(duplicates).toBeLessThanOrEqual(atMostTwice);
  };

  test('C23: kill -9 of the worker loses nothing and repeats at most what it held', async () => {
    const first = fixture.startProcess();
    await waitForRequests(3_000);
    await first.kill();
    const { leased } = await fixture.tally();
    expect(fixture.receiver.requests.length).toBeLessThan(total);
    fixture.startProcess();
    await expectNothingLost(Math.min(leased, endpoints.length * inFlightPerEndpoint));
  });

  test('flushing the queue again and again loses and repeats nothing', async () => {
    fixture.startProcess();
    for (const count of [1_000, 4_000, 7_000]) {
      await waitForRequests(count);
      await backend.flush();
    }
    await expectNothingLost(0);
  });

  test('a restart of PostgreSQL loses nothing and repeats at most what was in flight', async () => {
    fixture.startProcess();
    await waitForRequests(3_000);
    await data.restart();
    await expectNothingLost(endpoints.length * inFlightPerEndpoint);
  });

  test('SIGTERM in the middle ends within 10 s with code 0, loses and repeats nothing', async () => {
    const first = fixture.startProcess();
    await waitForRequests(3_000);
    const startedAt = performance.now();
    expect(await first.stop()).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect((await fixture.tally()).leased).toBe(0);
    fixture.startProcess();
    await expectNothingLost(0);
  });
});
