// Risk: a full or frozen Redis counts as up, one slow response stops the process, or an idle process keeps Redis busy.
import { createLogger } from '@finhook/runtime';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createBackendHealth } from './backend-health.ts';
import { createWriteProbe } from './write-probe.ts';

/** Writes that a test settles. */
function setup() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const health = createBackendHealth(createLogger({ level: 'silent', name: 'test' }));
  const writes: PromiseWithResolvers<void>[] = [];
  const write = () => {
    const written = Promise.withResolvers<void>();
    writes.push(written);
    return written.promise;
  };
  const probe = createWriteProbe({ write, health, everyMs: 500, slowMs: 500 });
  const respond = async (index: number, error?: Error) => {
    if (error === undefined) writes[index]?.resolve();
    else writes[index]?.reject(error);
    await vi.advanceTimersByTimeAsync(0);
  };
  return {
    probe,
    writes,
    respond,
    pass: (ms: number) => vi.advanceTimersByTimeAsync(ms),
    state: () => (health.isSlow() ? 'slow' : health.isUp() ? 'up' : health.isAway() ? 'away' : 'unknown'),
  };
}

test('a connected backend is up once it has accepted a write, and is written to twice a second', async () => {
  const { probe, writes, respond, pass, state } = setup();
  probe.start();
  expect([state(), writes.length]).toEqual(['unknown', 1]);
  await respond(0);
  expect(state()).toBe('up');
  for (let index = 1; index <= 20; index += 1) {
    await pass(500);
    await respond(index);
  }
  expect([state(), writes.length]).toEqual(['up', 21]);
});

test('one that rejects a write is away until it accepts one', async () => {
  const { probe, respond, pass, state } = setup();
  probe.start();
  await respond(0);
  await pass(500);
  await respond(1, new Error('OOM'));
  expect(state()).toBe('away');
  await pass(500);
  await respond(2);
  expect(state()).toBe('up');
});

test('one that takes half a second is slow until it responds, and is not written to meanwhile', async () => {
  const { probe, writes, respond, pass, state } = setup();
  probe.start();
  await respond(0);
  await pass(999);
  expect(state()).toBe('up');
  await pass(2);
  expect(state()).toBe('slow');
  await pass(10_000);
  expect([state(), writes.length]).toEqual(['slow', 2]);
  await respond(1);
  expect(state()).toBe('up');
});

test('one that has accepted nothing yet is away when it takes half a second', async () => {
  const { probe, pass, state } = setup();
  probe.start();
  await pass(501);
  expect(state()).toBe('away');
});

test('a new connection is written to at once, and what happens to writes of the closed one does not count', async () => {
  const { probe, writes, respond, pass, state } = setup();
  probe.start();
  probe.stop();
  await pass(10_000);
  expect([state(), writes.length]).toEqual(['unknown', 1]);
  probe.start();
  await respond(1);
  await respond(0, new Error('closed'));
  expect([state(), writes.length]).toEqual(['up', 2]);
});

test('other writes that are accepted stand for its own', async () => {
  const { probe, writes, respond, pass, state } = setup();
  probe.start();
  await respond(0);
  for (let count = 0; count < 50; count += 1) {
    await pass(400);
    await probe.observe(Promise.resolve());
  }
  expect([state(), writes.length]).toEqual(['up', 1]);
  await pass(500);
  expect(writes.length).toBe(2);
});

test('another write without a response shows that the backend is slow, and its failure is the caller’s', async () => {
  const { probe, respond, pass, state } = setup();
  probe.start();
  await respond(0);
  const hanging = Promise.withResolvers<void>();
  const observed = expect(probe.observe(hanging.promise)).rejects.toThrow('gone');
  await pass(501);
  expect(state()).toBe('slow');
  hanging.reject(new Error('gone'));
  await observed;
  await respond(1);
  expect(state()).toBe('up');
});
