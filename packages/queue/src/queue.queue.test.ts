// Risk: a wake-up gets lost, an endpoint is worked on twice at once, a queue that was flushed stays dead, or a process
// that ends while its database hangs dies of an error that nobody can catch.
import { setTimeout } from 'node:timers/promises';
import { openQueue, queueBackends, redisGroups, startFaultProxy, withClient } from '@finhook/testing';
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { consumeFrom, patientMs, useQueue } from '../test/queue-fixture.ts';
import { createQueueProducer } from './producer.ts';

describe.each([...queueBackends(), ...redisGroups()])('the queue on %s', (name) => {
  const queue = useQueue(() => openQueue(name, inject('pgUrl')));

  test('no wake-up is lost and no endpoint has two handlers, under 5 000 random ones', async () => {
    const endpoints = Array.from({ length: 25 }, (_, index) => ({ id: `we_${index}`, due: 0, done: 0, active: 0 }));
    const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
    let overlaps = 0;
    queue.consume({
      'endpoint.deliver': async ({ endpoint_id }) => {
        const endpoint = byId.get(endpoint_id);
        if (endpoint === undefined) throw new Error(`nobody knows ${endpoint_id}`);
        endpoint.active += 1;
        if (endpoint.active > 1) overlaps += 1;
        const seen = endpoint.due;
        await setTimeout(Math.random() * 4);
        endpoint.done = seen;
        endpoint.active -= 1;
      },
    });
    const second = createQueueProducer(queue.backend.url, { logger: queue.logger, timeoutMs: patientMs });
    const wakes: Promise<void>[] = [];
    for (let count = 0; count < 5_000; count += 1) {
      const endpoint = endpoints[Math.floor(Math.random() * endpoints.length)];
      if (endpoint === undefined) continue;
      endpoint.due += 1;
      wakes.push((count % 2 === 0 ? queue.producer : second).wake([endpoint.id]));
      if (count % 20 === 0) await setTimeout(1);
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
    queue.consume({
      'endpoint.deliver': async () => {
        starts.push(performance.now());
        active += 1;
        if (active > 1) overlaps += 1;
        await setTimeout(15);
        active -= 1;
      },
    });
    const startedSince = (time: number) =>
      expect.poll(() => starts.some((start) => start >= time), { timeout: 10_000, interval: 2 }).toBe(true);
    for (let round = 0; round < 20; round += 1) {
      const now = performance.now();
      // Asked before the alarm is due, a run that starts later is the alarm's.
      await Promise.all([queue.producer.wake(['we_both'], { delayMs: 20 }), queue.producer.wake(['we_both'])]);
      await startedSince(now + 18);
    }
    expect(overlaps).toBe(0);
    const now = performance.now();
    await queue.producer.wake(['we_both'], { delayMs: 60_000 });
    await queue.producer.wake(['we_both']);
    await startedSince(now);
    expect((await queue.producer.counts('endpoint.deliver')).delayed).toBe(1);
  });

  test('a wake-up starts its handler within milliseconds on an idle queue', async () => {
    const heard = queue.listen();
    await queue.wakeUntilHeard('we_warm', heard);
    const delays: number[] = [];
    const roundTrips: number[] = [];
    for (let round = 0; round < 10; round += 1) {
      const asked = performance.now();
      await queue.producer.ping();
      const started = performance.now();
      roundTrips.push(started - asked);
      await queue.producer.wake([`we_fast_${round}`]);
      await heard.has(`we_fast_${round}`);
      const at = heard.woken.find(({ id }) => id === `we_fast_${round}`)?.at ?? Number.POSITIVE_INFINITY;
      delays.push(at - started);
    }
    const median = (of: readonly number[]) => of.toSorted((a, b) => a - b)[5] ?? Number.POSITIVE_INFINITY;
    // Ten round trips take longer on a busy machine, and a queue that is polled every two seconds longer still.
    expect(median(delays)).toBeLessThan(Math.max(50, 10 * Math.min(median(roundTrips), 50)));
  });

  test('a delayed wake-up comes at its time, and a new one replaces it', async () => {
    const heard = queue.listen();
    await queue.wakeUntilHeard('we_warm', heard);
    const started = performance.now();
    await queue.producer.wake(['we_late'], { delayMs: 60_000 });
    await queue.producer.wake(['we_late'], { delayMs: 300 });
    await heard.has('we_late');
    const waited = (heard.woken.find(({ id }) => id === 'we_late')?.at ?? 0) - started;
    expect(waited).toBeGreaterThan(290);
    expect(waited).toBeLessThan(1_500);
    expect((await queue.producer.counts('endpoint.deliver')).delayed).toBe(0);
  });

  test('a sync that is asked for again while it waits runs once, and again when it is asked for later', async () => {
    const runs: string[] = [];
    await queue.producer.startSyncs(['syn_one']);
    await queue.producer.startSyncs(['syn_one', 'syn_two']);
    queue.consume({ 'connection.sync': async ({ run_id }) => void runs.push(run_id) });
    await expect.poll(() => runs.toSorted(), { timeout: 10_000 }).toEqual(['syn_one', 'syn_two']);
    await expect.poll(() => queue.producer.counts('connection.sync')).toEqual({ waiting: 0, active: 0, delayed: 0 });
    await queue.producer.startSyncs(['syn_one']);
    await expect.poll(() => runs.length, { timeout: 10_000 }).toBe(3);
  });

  test('jobs leave nothing behind', async () => {
    const heard = queue.listen();
    await queue.producer.wake(['we_gone']);
    await heard.has('we_gone');
    await expect.poll(() => queue.producer.counts('endpoint.deliver')).toEqual({ waiting: 0, active: 0, delayed: 0 });
  });

  test('a handler that throws is logged and does not stop the next wake-up', async () => {
    let runs = 0;
    queue.consume({
      'endpoint.deliver': async () => {
        runs += 1;
        if (runs === 1) throw new Error('boom with whsec_c2VjcmV0');
      },
    });
    await queue.producer.wake(['we_throws']);
    await expect.poll(() => runs).toBe(1);
    await queue.producer.wake(['we_throws']);
    await expect.poll(() => runs).toBe(2);
    const failures = queue.lines.filter((line) => line.includes('a job failed'));
    expect(failures).toHaveLength(1);
    expect(failures[0]).not.toContain('c2VjcmV0');
  });

  test('scheduled jobs run once per period however many processes ask, and go on after a flush', async () => {
    let runs = 0;
    queue.consume({
      'maintenance.run': async ({ task }) => void (task === 'sweep' && (runs += 1)),
    });
    const second = createQueueProducer(queue.backend.url, { logger: queue.logger, timeoutMs: patientMs });
    const startedAt = performance.now();
    for (const one of [queue.producer, second]) one.schedule('maintenance.run', 200, 'sweep', { task: 'sweep' });
    await expect.poll(() => runs, { timeout: 10_000, interval: 5 }).toBeGreaterThanOrEqual(5);
    // A process drops what comes before nine tenths of the period are over.
    expect(runs).toBeLessThanOrEqual(1 + (performance.now() - startedAt) / 180);
    await queue.backend.flush();
    const before = runs;
    await expect.poll(() => runs, { timeout: 10_000 }).toBeGreaterThan(before + 1);
    await second.close();
  });

  test('after all jobs and tables are lost, the running consumer and producer go on by themselves', async () => {
    const heard = queue.listen();
    await queue.wakeUntilHeard('we_before', heard);
    for (let round = 0; round < 3; round += 1) {
      await queue.producer.wake([`we_lost_${round}`], { delayMs: 60_000 });
      await queue.backend.flush();
      await queue.wakeUntilHeard(`we_after_${round}`, heard);
    }
    expect((await queue.producer.counts('endpoint.deliver')).delayed).toBe(0);
  });

  test('jobs that run while everything is lost do not stop their worker', async () => {
    const gate = Promise.withResolvers<void>();
    const done: string[] = [];
    let started = 0;
    queue.consume({
      'endpoint.deliver': async ({ endpoint_id }) => {
        started += 1;
        if (endpoint_id.startsWith('we_slow')) await gate.promise;
        done.push(endpoint_id);
      },
    });
    await queue.producer.wake(['we_slow_1', 'we_slow_2']);
    await expect.poll(() => started, { timeout: 10_000 }).toBe(2);
    await queue.backend.flush();
    gate.resolve();
    const again = async () => {
      await queue.producer.wake(['we_slow_1', 'we_next']).catch(() => undefined);
      return done.filter((id) => id === 'we_slow_1').length > 1 && done.includes('we_next');
    };
    await expect.poll(again, { timeout: 15_000, interval: 50 }).toBe(true);
  });

  test('close aborts the signal, waits for what is at hand, and takes nothing new', async () => {
    const events: string[] = [];
    const closing = queue.consume({
      'endpoint.deliver': async ({ endpoint_id }, { signal }) => {
        events.push(`start ${endpoint_id}`);
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        await setTimeout(50);
        events.push(`end ${endpoint_id}`);
      },
    });
    await queue.producer.wake(['we_open']);
    await expect.poll(() => events, { timeout: 10_000 }).toEqual(['start we_open']);
    await closing.close({ timeoutMs: 5_000 });
    events.push('closed');
    await queue.producer.wake(['we_new']);
    expect(events).toEqual(['start we_open', 'end we_open', 'closed']);
    expect(await queue.producer.counts('endpoint.deliver')).toEqual({ waiting: 1, active: 0, delayed: 0 });
  });

  test('close gives up on a handler that never ends, in time', async () => {
    let started = false;
    const closing = queue.consume({
      'endpoint.deliver': () => {
        started = true;
        return new Promise(() => undefined);
      },
    });
    await queue.producer.wake(['we_stuck']);
    await expect.poll(() => started, { timeout: 10_000 }).toBe(true);
    const before = performance.now();
    await closing.close({ timeoutMs: 200 });
    expect(performance.now() - before).toBeLessThan(2_000);
    expect(queue.lines.some((line) => line.includes('jobs are left unfinished'))).toBe(true);
  });

  test('the job of a worker that died is taken over within seconds', async () => {
    let started = false;
    const dying = queue.consume({
      'endpoint.deliver': () => {
        started = true;
        return new Promise(() => undefined);
      },
    });
    await queue.producer.wake(['we_orphan']);
    await expect.poll(() => started, { timeout: 10_000 }).toBe(true);
    await dying.close({ timeoutMs: 10 });
    const heard = queue.listen();
    await heard.has('we_orphan');
  });
});

describe.each(queueBackends().filter((name) => name === 'postgres'))('the queue on %s alone', (name) => {
  const queue = useQueue(() => openQueue(name, inject('pgUrl')));

  test('rows that were truncated, the migration ledger too, stop neither a running process nor a new one', async () => {
    const heard = queue.listen();
    await queue.wakeUntilHeard('we_before', heard);
    // It may be the victim of a deadlock with the worker, which takes the same locks in another order.
    const truncate = async () => {
      await withClient(queue.backend.url, async (admin) => {
        const { rows } = await admin.query(
          "select format('bullmq.%I', tablename) as name from pg_tables where schemaname = 'bullmq'",
        );
        await admin.query(`truncate ${rows.map((table) => table.name).join(', ')}`);
      });
    };
    await vi.waitFor(truncate, { timeout: 10_000 });
    await queue.wakeUntilHeard('we_after', heard);
    await heard.close();
    const second = createQueueProducer(queue.backend.url, { logger: queue.logger, timeoutMs: patientMs });
    const heardBySecond = queue.listen();
    await queue.wakeUntilHeard('we_new', heardBySecond, second);
    expect(heard.woken.map(({ id }) => id)).not.toContain('we_new');
    await second.close();
  });

  test('a process that ends while statements of its queue hang is told that they failed, and ends', async () => {
    const uncaught: unknown[] = [];
    const note = (error: unknown): void => void uncaught.push(error);
    process.on('uncaughtException', note);
    onTestFinished(() => void process.off('uncaughtException', note));
    const { logger } = queue;
    const proxy = await startFaultProxy(queue.backend.url);
    const producer = createQueueProducer(proxy.url, { logger });
    const woken: string[] = [];
    const consumer = consumeFrom(proxy.url, {
      logger,
      handlers: { 'endpoint.deliver': async ({ endpoint_id }) => void woken.push(endpoint_id) },
    });
    const wake = async () => {
      await producer.wake(['we_one']).catch(() => undefined);
      return woken.length;
    };
    await expect.poll(wake).toBeGreaterThan(0);
    proxy.silenceAll();
    const hanging = Promise.allSettled([producer.ping(), producer.wake(['we_late'])]);
    await Promise.all([producer.close(), consumer.close({ timeoutMs: 200 })]);
    expect((await hanging).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await proxy.close();
    await setTimeout(500);
    expect(uncaught).toEqual([]);
  });
});
