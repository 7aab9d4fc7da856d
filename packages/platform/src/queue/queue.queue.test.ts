// Risk: a wake-up gets lost, an endpoint is worked on twice at once, or a queue that was flushed or away stays dead.
import { type QueueBackend, queueBackends, redisGroups, startQueueBackend } from '@finhook/testing';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLogger } from '../create-logger.ts';
import { createQueueConsumer, type JobHandlers, type QueueConsumer } from './create-queue-consumer.ts';
import { createQueueProducer, type QueueProducer, QueueUnavailableError } from './create-queue-producer.ts';

describe.each([...queueBackends(), ...redisGroups()])('the queue on %s', (name) => {
  let backend: QueueBackend;
  let producer: QueueProducer;
  let consumer: QueueConsumer | undefined;
  const lines: string[] = [];
  const logger = createLogger({ level: 'info', name: 'test', destination: { write: (line) => void lines.push(line) } });

  beforeAll(async () => {
    backend = await startQueueBackend(name);
  });

  afterAll(() => backend.close());

  beforeEach(async () => {
    lines.length = 0;
    producer = createQueueProducer(backend.url, { logger });
    await producer.ping();
  });

  afterEach(async () => {
    await consumer?.close({ timeoutMs: 5_000 });
    consumer = undefined;
    await producer.close();
    await backend.flush();
  });

  const consume = (handlers: Partial<JobHandlers>, concurrency = 20): QueueConsumer => {
    const concurrencies = { 'endpoint.deliver': concurrency, 'connection.sync': 1, 'maintenance.run': 1 };
    const rest = async () => undefined;
    const idle = { 'endpoint.deliver': rest, 'connection.sync': rest, 'maintenance.run': rest };
    return createQueueConsumer(backend.url, { logger, concurrency: concurrencies, handlers: { ...idle, ...handlers } });
  };

  /** A consumer that tells which endpoint was woken, and when. */
  const listen = () => {
    const woken: { id: string; at: number }[] = [];
    consumer = consume({
      'endpoint.deliver': async ({ endpoint_id }) => void woken.push({ id: endpoint_id, at: performance.now() }),
    });
    const ids = () => woken.map(({ id }) => id);
    return { woken, has: (id: string) => expect.poll(ids, { timeout: 10_000, interval: 5 }).toContain(id) };
  };

  /** Wakes until it is heard: the wake-ups that fall into an outage may be lost. */
  const wakeUntilHeard = async (id: string, heard: { woken: { id: string }[] }) => {
    const attempt = async () => {
      await producer.wake([id]).catch(() => undefined);
      return heard.woken.some((one) => one.id === id);
    };
    await expect.poll(attempt, { timeout: 15_000, interval: 50 }).toBe(true);
  };

  test('no wake-up is lost and no endpoint has two handlers, under 5 000 random ones', async () => {
    const endpoints = Array.from({ length: 25 }, (_, index) => ({ id: `we_${index}`, due: 0, done: 0, active: 0 }));
    const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
    let overlaps = 0;
    consumer = consume({
      'endpoint.deliver': async ({ endpoint_id }) => {
        const endpoint = byId.get(endpoint_id);
        if (endpoint === undefined) throw new Error(`nobody knows ${endpoint_id}`);
        endpoint.active += 1;
        if (endpoint.active > 1) overlaps += 1;
        const seen = endpoint.due;
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 4));
        endpoint.done = seen;
        endpoint.active -= 1;
      },
    });
    const second = createQueueProducer(backend.url, { logger });
    const wakes: Promise<void>[] = [];
    for (let count = 0; count < 5_000; count += 1) {
      const endpoint = endpoints[Math.floor(Math.random() * endpoints.length)];
      if (endpoint === undefined) continue;
      endpoint.due += 1;
      wakes.push((count % 2 === 0 ? producer : second).wake([endpoint.id]));
      if (count % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await Promise.all(wakes);
    const undone = () => endpoints.filter((endpoint) => endpoint.done !== endpoint.due).length;
    await expect.poll(undone, { timeout: 20_000, interval: 20 }).toBe(0);
    expect(overlaps).toBe(0);
    await second.close();
  });

  test('alarms and immediate wake-ups of one endpoint never overlap, and neither swallows the other', async () => {
    const starts: number[] = [];
    let active = 0;
    let overlaps = 0;
    consumer = consume({
      'endpoint.deliver': async () => {
        starts.push(performance.now());
        active += 1;
        if (active > 1) overlaps += 1;
        await new Promise((resolve) => setTimeout(resolve, 15));
        active -= 1;
      },
    });
    const startedSince = (time: number) =>
      expect.poll(() => starts.some((start) => start >= time), { timeout: 10_000, interval: 2 }).toBe(true);
    for (let round = 0; round < 20; round += 1) {
      const now = performance.now();
      // Asked before the alarm is due, a run that starts later is the alarm's.
      await Promise.all([producer.wake(['we_both'], { delayMs: 20 }), producer.wake(['we_both'])]);
      await startedSince(now + 18);
    }
    expect(overlaps).toBe(0);
    const now = performance.now();
    await producer.wake(['we_both'], { delayMs: 60_000 });
    await producer.wake(['we_both']);
    await startedSince(now);
    expect((await producer.counts('endpoint.deliver')).delayed).toBe(1);
  });

  test('a wake-up starts its handler within milliseconds on an idle queue', async () => {
    const heard = listen();
    await wakeUntilHeard('we_warm', heard);
    const delays: number[] = [];
    for (let round = 0; round < 10; round += 1) {
      const started = performance.now();
      await producer.wake([`we_fast_${round}`]);
      await heard.has(`we_fast_${round}`);
      const at = heard.woken.find(({ id }) => id === `we_fast_${round}`)?.at ?? Number.POSITIVE_INFINITY;
      delays.push(at - started);
    }
    const [, , , , , median = Number.POSITIVE_INFINITY] = delays.sort((a, b) => a - b);
    expect(median).toBeLessThan(50);
  });

  test('a delayed wake-up comes at its time, and a new one replaces it', async () => {
    const heard = listen();
    await wakeUntilHeard('we_warm', heard);
    const started = performance.now();
    await producer.wake(['we_late'], { delayMs: 60_000 });
    await producer.wake(['we_late'], { delayMs: 300 });
    await heard.has('we_late');
    const waited = (heard.woken.find(({ id }) => id === 'we_late')?.at ?? 0) - started;
    expect(waited).toBeGreaterThan(290);
    expect(waited).toBeLessThan(1_500);
    expect((await producer.counts('endpoint.deliver')).delayed).toBe(0);
  });

  test('a sync that is asked for again while it waits runs once, and again when it is asked for later', async () => {
    const runs: string[] = [];
    await producer.startSyncs(['syn_one']);
    await producer.startSyncs(['syn_one', 'syn_two']);
    consumer = consume({ 'connection.sync': async ({ run_id }) => void runs.push(run_id) });
    await expect.poll(() => runs.toSorted(), { timeout: 10_000 }).toEqual(['syn_one', 'syn_two']);
    await expect.poll(() => producer.counts('connection.sync')).toEqual({ waiting: 0, active: 0, delayed: 0 });
    await producer.startSyncs(['syn_one']);
    await expect.poll(() => runs.length, { timeout: 10_000 }).toBe(3);
  });

  test('jobs leave nothing behind', async () => {
    const heard = listen();
    await producer.wake(['we_gone']);
    await heard.has('we_gone');
    await expect.poll(() => producer.counts('endpoint.deliver')).toEqual({ waiting: 0, active: 0, delayed: 0 });
  });

  test('a handler that throws is logged and does not stop the next wake-up', async () => {
    let runs = 0;
    consumer = consume({
      'endpoint.deliver': async () => {
        runs += 1;
        if (runs === 1) throw new Error('boom with whsec_c2VjcmV0');
      },
    });
    await producer.wake(['we_throws']);
    await expect.poll(() => runs).toBe(1);
    await producer.wake(['we_throws']);
    await expect.poll(() => runs).toBe(2);
    const failures = lines.filter((line) => line.includes('a job failed'));
    expect(failures).toHaveLength(1);
    expect(failures[0]).not.toContain('c2VjcmV0');
  });

  test('scheduled jobs run once per period however many processes ask, and go on after a flush', async () => {
    const runs: number[] = [];
    consumer = consume({
      'maintenance.run': async ({ task }) => void (task === 'sweep' && runs.push(performance.now())),
    });
    const second = createQueueProducer(backend.url, { logger });
    for (const one of [producer, second]) one.schedule('maintenance.run', 200, 'sweep', { task: 'sweep' });
    await expect.poll(() => runs.length, { timeout: 10_000, interval: 5 }).toBeGreaterThanOrEqual(5);
    const [first = 0] = runs;
    const took = (runs[4] ?? 0) - first;
    expect(took).toBeGreaterThan(4 * 180 - 60);
    await backend.flush();
    const before = runs.length;
    await expect.poll(() => runs.length, { timeout: 10_000 }).toBeGreaterThan(before + 1);
    await second.close();
  });

  test('after all jobs and tables are lost, the running consumer and producer go on by themselves', async () => {
    const heard = listen();
    await wakeUntilHeard('we_before', heard);
    for (let round = 0; round < 3; round += 1) {
      await producer.wake([`we_lost_${round}`], { delayMs: 60_000 });
      await backend.flush();
      await wakeUntilHeard(`we_after_${round}`, heard);
    }
    expect((await producer.counts('endpoint.deliver')).delayed).toBe(0);
  });

  test('jobs that run while everything is lost do not stop their worker', async () => {
    const gate = Promise.withResolvers<void>();
    const done: string[] = [];
    let started = 0;
    consumer = consume({
      'endpoint.deliver': async ({ endpoint_id }) => {
        started += 1;
        if (endpoint_id.startsWith('we_slow')) await gate.promise;
        done.push(endpoint_id);
      },
    });
    await producer.wake(['we_slow_1', 'we_slow_2']);
    await expect.poll(() => started, { timeout: 10_000 }).toBe(2);
    await backend.flush();
    gate.resolve();
    const again = async () => {
      await producer.wake(['we_slow_1', 'we_next']).catch(() => undefined);
      return done.filter((id) => id === 'we_slow_1').length > 1 && done.includes('we_next');
    };
    await expect.poll(again, { timeout: 15_000, interval: 50 }).toBe(true);
  });

  test('a backend that goes away and comes back is picked up again, with a handful of log lines', async () => {
    const heard = listen();
    await wakeUntilHeard('we_before', heard);
    const linesBefore = lines.length;
    await backend.stop();
    await expect.poll(() => producer.wake(['we_away']).catch((error) => error)).toBeInstanceOf(QueueUnavailableError);
    const started = performance.now();
    for (let count = 0; count < 50; count += 1) {
      await expect(producer.wake(['we_away'])).rejects.toThrow(QueueUnavailableError);
    }
    expect(performance.now() - started).toBeLessThan(1_000);
    await expect(producer.ping()).rejects.toThrow(QueueUnavailableError);
    // An outage that is long enough for a flood of lines to show.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await backend.start();
    await wakeUntilHeard('we_after', heard);
    const news = lines.slice(linesBefore);
    expect(news.length).toBeLessThan(15);
    expect(news.some((line) => line.includes('the queue is away'))).toBe(true);
    expect(news.some((line) => line.includes('the queue is back'))).toBe(true);
  });

  test('a consumer and a producer that start before their backend wait for it', async () => {
    await backend.stop();
    const early = createQueueProducer(backend.url, { logger });
    const heard = listen();
    await expect(early.wake(['we_early'])).rejects.toThrow(QueueUnavailableError);
    await backend.start();
    await wakeUntilHeard('we_started', heard);
    await expect
      .poll(
        () =>
          early.ping().then(
            () => true,
            () => false,
          ),
        { timeout: 10_000 },
      )
      .toBe(true);
    await early.wake(['we_early']);
    await heard.has('we_early');
    await early.close();
  });

  test('close aborts the signal, waits for what is at hand, and takes nothing new', async () => {
    const events: string[] = [];
    const closing = consume({
      'endpoint.deliver': async ({ endpoint_id }, { signal }) => {
        events.push(`start ${endpoint_id}`);
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        await new Promise((resolve) => setTimeout(resolve, 50));
        events.push(`end ${endpoint_id}`);
      },
    });
    await producer.wake(['we_open']);
    await expect.poll(() => events, { timeout: 10_000 }).toEqual(['start we_open']);
    await closing.close({ timeoutMs: 5_000 });
    events.push('closed');
    await producer.wake(['we_new']);
    expect(events).toEqual(['start we_open', 'end we_open', 'closed']);
    expect(await producer.counts('endpoint.deliver')).toEqual({ waiting: 1, active: 0, delayed: 0 });
  });

  test('close gives up on a handler that never ends, in time', async () => {
    let started = false;
    const closing = consume({
      'endpoint.deliver': () => {
        started = true;
        return new Promise(() => undefined);
      },
    });
    await producer.wake(['we_stuck']);
    await expect.poll(() => started, { timeout: 10_000 }).toBe(true);
    const before = performance.now();
    await closing.close({ timeoutMs: 200 });
    expect(performance.now() - before).toBeLessThan(2_000);
    expect(lines.some((line) => line.includes('jobs are left unfinished'))).toBe(true);
  });

  test('the job of a worker that died is taken over within seconds', async () => {
    let started = false;
    const dying = consume({
      'endpoint.deliver': () => {
        started = true;
        return new Promise(() => undefined);
      },
    });
    await producer.wake(['we_orphan']);
    await expect.poll(() => started, { timeout: 10_000 }).toBe(true);
    await dying.close({ timeoutMs: 10 });
    const heard = listen();
    await expect.poll(() => heard.woken.map(({ id }) => id), { timeout: 14_000 }).toContain('we_orphan');
  });

  test('close ends while the backend is away', async () => {
    const closing = consume({});
    await expect.poll(closing.isUp, { timeout: 10_000 }).toBe(true);
    await backend.stop();
    const before = performance.now();
    await closing.close({ timeoutMs: 1_000 });
    expect(performance.now() - before).toBeLessThan(3_000);
    await backend.start();
    await expect
      .poll(
        () =>
          producer.ping().then(
            () => true,
            () => false,
          ),
        { timeout: 10_000 },
      )
      .toBe(true);
  });
});

describe('the queue on postgres', () => {
  test('rows that were truncated, the migration ledger too, stop neither a running process nor a new one', async () => {
    const backend = await startQueueBackend('postgres');
    const logger = createLogger({ level: 'silent', name: 'test' });
    const woken: string[] = [];
    const open = () => {
      const producer = createQueueProducer(backend.url, { logger });
      const consumer = createQueueConsumer(backend.url, {
        logger,
        concurrency: { 'endpoint.deliver': 5, 'connection.sync': 1, 'maintenance.run': 1 },
        handlers: {
          'endpoint.deliver': async ({ endpoint_id }) => void woken.push(endpoint_id),
          'connection.sync': async () => undefined,
          'maintenance.run': async () => undefined,
        },
      });
      return { producer, close: () => Promise.all([producer.close(), consumer.close({ timeoutMs: 2_000 })]) };
    };
    const heard = (producer: QueueProducer, id: string) => {
      const attempt = async () => {
        await producer.wake([id]).catch(() => undefined);
        return woken.includes(id);
      };
      return expect.poll(attempt, { timeout: 15_000, interval: 50 }).toBe(true);
    };
    const first = open();
    await heard(first.producer, 'we_before');
    const admin = new Client({ connectionString: backend.url });
    await admin.connect();
    const tables = await admin.query(
      "select format('bullmq.%I', tablename) as name from pg_tables where schemaname = 'bullmq'",
    );
    const truncate = `truncate ${tables.rows.map(({ name }) => name).join(', ')}`;
    // It may be the victim of a deadlock with the worker, which takes the same locks in another order.
    const truncated = () =>
      admin.query(truncate).then(
        () => true,
        () => false,
      );
    await expect.poll(truncated, { timeout: 10_000 }).toBe(true);
    await heard(first.producer, 'we_after');
    await first.close();
    const second = open();
    await heard(second.producer, 'we_new');
    await second.close();
    await admin.end();
    await backend.close();
  });
});
