// Risk: a wake-up is lost, a flushed queue stays unusable, or a process that closes while its database hangs dies of an
// unhandled error.
import { setTimeout } from 'node:timers/promises';
import { openQueue, queueBackends, redisGroups, startFaultProxy, withClient } from '@finhook/testing';
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { consumeFrom, onWake, slowCallMs, toRef, useQueue, wake } from '../test/queue-fixture.ts';
import { createQueueProducer } from './producer.ts';

describe.each([...queueBackends(), ...redisGroups()])('the queue on %s', (name) => {
  const queue = useQueue(() => openQueue(name, inject('pgUrl')));

  test('no wake-up is lost under many random ones of two processes', async () => {
    const endpoints = Array.from({ length: 25 }, (_, index) => ({ id: `we_${index}`, due: 0, done: 0 }));
    const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
    queue.consume(
      onWake((id) => {
        const endpoint = byId.get(id);
        if (endpoint === undefined) throw new Error(`nobody knows ${id}`);
        endpoint.done = endpoint.due;
      }),
    );
    const second = createQueueProducer(queue.backend.url, { logger: queue.logger, timeoutMs: slowCallMs });
    const wakes: Promise<void>[] = [];
    for (let count = 0; count < 400; count += 1) {
      const endpoint = endpoints[Math.floor(Math.random() * endpoints.length)];
      if (endpoint === undefined) continue;
      endpoint.due += 1;
      wakes.push(wake(count % 2 === 0 ? queue.producer : second, endpoint.id));
      if (count % 20 === 0) await setTimeout(1);
    }
    await Promise.all(wakes);
    const undone = () => endpoints.filter((endpoint) => endpoint.done !== endpoint.due).length;
    await expect.poll(undone, { timeout: 20_000, interval: 20 }).toBe(0);
    await second.close();
  });

  test('hand-offs arrive once and as they were sent, a hundred in few jobs', async () => {
    const arrived: string[] = [];
    let jobs = 0;
    queue.consume({
      deliver: async ({ hand_offs }) => {
        jobs += 1;
        arrived.push(...hand_offs);
      },
    });
    const sent = Array.from({ length: 100 }, (_, i) => `sealed "${i}" é`);
    await Promise.all(sent.map((handOff) => queue.producer.deliver({ handOffs: [handOff] })));
    await expect.poll(() => arrived.toSorted(), { timeout: 10_000 }).toEqual(sent.toSorted());
    expect(jobs).toBeLessThan(20);
  });

  test('a delayed wake-up is not replaced by an immediate one', async () => {
    const heard = queue.listen();
    await queue.producer.wakeLater(toRef('we_both'), 60_000);
    await wake(queue.producer, 'we_both');
    await heard.has('we_both');
    expect((await queue.producer.counts('deliver')).delayed).toBe(1);
  });

  test('a delayed wake-up comes after one that is due earlier, and a new one replaces it', async () => {
    const heard = queue.listen();
    await queue.wakeUntilHeard('we_warm', heard);
    await queue.producer.wakeLater(toRef('we_late'), 60_000);
    // On a busy machine the next call may take long.
    await queue.producer.wakeLater(toRef('we_late'), 2_000);
    await queue.producer.wakeLater(toRef('we_soon'), 50);
    await heard.has('we_late');
    expect(heard.woken.slice(heard.woken.lastIndexOf('we_warm'))).toEqual(['we_warm', 'we_soon', 'we_late']);
    expect((await queue.producer.counts('deliver')).delayed).toBe(0);
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

  test('a maintenance task that is asked for runs at once, although its scheduled run was a moment ago', async () => {
    const ran: string[] = [];
    queue.consume({ 'maintenance.run': async ({ task }) => void ran.push(task) });
    queue.producer.schedule('maintenance.run', 3_600_000, 'sums', { task: 'sums' });
    await expect.poll(() => ran, { timeout: 10_000 }).toEqual(['sums']);
    await queue.producer.startMaintenance('sums');
    await expect.poll(() => ran, { timeout: 10_000 }).toEqual(['sums', 'sums']);
  });

  test('a handler that throws is logged and does not stop the next wake-up', async () => {
    let runs = 0;
    queue.consume({
      deliver: async () => {
        runs += 1;
        if (runs === 1) throw new Error('boom with whsec_c2VjcmV0');
      },
    });
    await wake(queue.producer, 'we_throws');
    await expect.poll(() => runs).toBe(1);
    await wake(queue.producer, 'we_throws');
    await expect.poll(() => runs).toBe(2);
    const failures = queue.lines.filter((line) => line.includes('a job failed'));
    expect(failures).toHaveLength(1);
    expect(failures[0]).not.toContain('c2VjcmV0');
  });

  test('scheduled jobs run once per period however many processes ask, and go on after a flush', async () => {
    const ran: string[] = [];
    queue.consume({ 'maintenance.run': async ({ task }) => void ran.push(task) });
    const runsOf = (task: string) => ran.filter((one) => one === task).length;
    const second = createQueueProducer(queue.backend.url, { logger: queue.logger, timeoutMs: slowCallMs });
    for (const one of [queue.producer, second, queue.producer]) {
      one.schedule('maintenance.run', 3_600_000, 'hourly', { task: 'hourly' });
      one.schedule('maintenance.run', 100, 'sweep', { task: 'sweep' });
    }
    await expect.poll(() => runsOf('sweep'), { timeout: 10_000, interval: 5 }).toBeGreaterThanOrEqual(5);
    expect(runsOf('hourly')).toBe(1);
    await queue.backend.flush();
    const before = runsOf('sweep');
    await expect.poll(() => runsOf('sweep'), { timeout: 10_000 }).toBeGreaterThan(before + 1);
    await second.close();
  });

  test('after all jobs and tables are lost, the running consumer and producer go on by themselves', async () => {
    const heard = queue.listen();
    await queue.wakeUntilHeard('we_before', heard);
    for (let round = 0; round < 3; round += 1) {
      await queue.producer.wakeLater(toRef(`we_lost_${round}`), 60_000);
      await queue.backend.flush();
      await queue.wakeUntilHeard(`we_after_${round}`, heard);
    }
    expect((await queue.producer.counts('deliver')).delayed).toBe(0);
  });

  test('jobs that run while everything is lost do not stop their worker', async () => {
    const gate = Promise.withResolvers<void>();
    const done: string[] = [];
    let started = 0;
    queue.consume(
      onWake(async (id) => {
        started += 1;
        if (id.startsWith('we_slow')) await gate.promise;
        done.push(id);
      }),
    );
    await wake(queue.producer, 'we_slow_1');
    await expect.poll(() => started, { timeout: 10_000 }).toBe(1);
    await queue.backend.flush();
    gate.resolve();
    const again = async () => {
      await wake(queue.producer, 'we_slow_1', 'we_next').catch(() => undefined);
      return done.filter((id) => id === 'we_slow_1').length > 1 && done.includes('we_next');
    };
    await expect.poll(again, { timeout: 15_000, interval: 50 }).toBe(true);
  });

  test('close waits for what is at hand, and takes nothing new', async () => {
    const events: string[] = [];
    const gate = Promise.withResolvers<void>();
    const closing = queue.consume({
      deliver: async ({ endpoints: [endpoint] }) => {
        events.push(`start ${endpoint?.id}`);
        await gate.promise;
        await setTimeout(50);
        events.push(`end ${endpoint?.id}`);
      },
    });
    await wake(queue.producer, 'we_open');
    await expect.poll(() => events, { timeout: 10_000 }).toEqual(['start we_open']);
    const closed = closing.close({ timeoutMs: 5_000 });
    gate.resolve();
    await closed;
    events.push('closed');
    await wake(queue.producer, 'we_new');
    expect(events).toEqual(['start we_open', 'end we_open', 'closed']);
    expect(await queue.producer.counts('deliver')).toEqual({ waiting: 1, active: 0, delayed: 0 });
  });

  test('close gives up on a handler that never ends', async () => {
    let started = false;
    const closing = queue.consume({
      deliver: () => {
        started = true;
        return new Promise(() => undefined);
      },
    });
    await wake(queue.producer, 'we_stuck');
    await expect.poll(() => started, { timeout: 10_000 }).toBe(true);
    await closing.close({ timeoutMs: 200 });
    expect(queue.lines.some((line) => line.includes('jobs are left unfinished'))).toBe(true);
  });

  test('when the lock of a worker that died ends, its sync is taken over, and its deliver job is dropped', async () => {
    const timing = { lockMs: 300, stalledCheckMs: 100 };
    const started = new Set<string>();
    const hang = (job: string) => () => {
      started.add(job);
      return new Promise<void>(() => undefined);
    };
    const dying = queue.consume({ deliver: hang('deliver'), 'connection.sync': hang('sync') }, timing);
    await wake(queue.producer, 'we_orphan');
    await queue.producer.startSyncs(['syn_orphan']);
    await expect.poll(() => started.size, { timeout: 10_000 }).toBe(2);
    await dying.close({ timeoutMs: 10 });
    const woken: string[] = [];
    const synced: string[] = [];
    queue.consume(
      { ...onWake((id) => woken.push(id)), 'connection.sync': async ({ run_id }) => void synced.push(run_id) },
      timing,
    );
    await expect.poll(() => synced, { timeout: 10_000 }).toEqual(['syn_orphan']);
    const left = () => queue.producer.counts('deliver');
    await expect.poll(left, { timeout: 10_000 }).toEqual({ waiting: 0, active: 0, delayed: 0 });
    expect(woken).toEqual([]);
    // A later wake-up of the endpoint is not the dropped one.
    await wake(queue.producer, 'we_orphan');
    await expect.poll(() => woken, { timeout: 10_000 }).toEqual(['we_orphan']);
  });
});

describe.each(queueBackends().filter((name) => name === 'postgres'))('the queue on %s alone', (name) => {
  const queue = useQueue(() => openQueue(name, inject('pgUrl')));

  test('rows that were truncated, the migration ledger too, stop neither a running process nor a new one', async () => {
    const heard = queue.listen();
    await queue.wakeUntilHeard('we_before', heard);
    // The statement may be the victim of a deadlock with the worker.
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
    const second = createQueueProducer(queue.backend.url, { logger: queue.logger, timeoutMs: slowCallMs });
    const heardBySecond = queue.listen();
    await queue.wakeUntilHeard('we_new', heardBySecond, second);
    expect(heard.woken).not.toContain('we_new');
    await second.close();
  });

  test('a process that closes while statements of its queue hang gets their errors, and ends', async () => {
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
      handlers: onWake((id) => woken.push(id)),
    });
    const tryWake = async () => {
      await wake(producer, 'we_one').catch(() => undefined);
      return woken.length;
    };
    await expect.poll(tryWake).toBeGreaterThan(0);
    proxy.silenceAll();
    const hanging = Promise.allSettled([producer.ping(), wake(producer, 'we_late')]);
    await Promise.all([producer.close(), consumer.close({ timeoutMs: 200 })]);
    expect((await hanging).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await proxy.close();
    await setTimeout(100);
    expect(uncaught).toEqual([]);
  });
});
