// Risk: a claim is neither recorded nor given back, an endpoint is blamed for our own fault, or a lease is overrun.
import type { SendResult } from '@finhook/delivery';
import { describe, expect, test } from 'vitest';
import { answer, delivery, failure, ok, setUp } from '../../test/slice-fixture.ts';

describe('DeliverySlice', () => {
  test('sends and records everything that is due, each once', async () => {
    const slice = setUp({ due: 700 });
    const report = await slice.run();
    expect(new Set(slice.recorded.map(({ claim }) => claim.deliveryId)).size).toBe(700);
    expect(slice.recorded).toHaveLength(700);
    expect(slice.released).toEqual([]);
    expect(report).toMatchObject({ more: false, putOff: false, fault: undefined, lastFailure: undefined });
    expect(report.outcomes).toHaveLength(700);
    expect(Math.max(...slice.sendingAtStart)).toBeLessThanOrEqual(64);
  });

  test('sends as many at once as it has connections, and holds little beyond', async () => {
    const ahead: number[] = [];
    const slice = setUp({
      due: 300,
      connections: 3,
      send: async (n) => {
        ahead.push(slice.claimed() - n);
        return ok;
      },
    });
    await slice.run();
    expect(slice.recorded).toHaveLength(300);
    expect(Math.max(...slice.sendingAtStart)).toBe(3);
    expect(Math.max(...ahead)).toBeLessThan(2 * 3 + 64);
  });

  test('stops after its number of sends and says that there is more', async () => {
    const slice = setUp({ due: 500, limits: { maxSends: 100 } });
    const report = await slice.run();
    expect(slice.sends()).toBe(100);
    expect(slice.recorded.length + slice.released.length).toBe(slice.claimed());
    expect(report.more).toBe(true);
  });

  test('stops after its time, gives back what it holds and says that there is more', async () => {
    const slice = setUp({
      due: 500,
      send: async () => {
        slice.now.ms += 100;
        return ok;
      },
    });
    const report = await slice.run();
    expect(slice.sends()).toBeLessThan(70);
    expect(slice.recorded.length + slice.released.length).toBe(slice.claimed());
    expect(report.more).toBe(true);
  });

  test('a claim whose lease would end before the timeout is given back, not sent', async () => {
    const slice = setUp({ due: 5, limits: { maxMs: 60_000 } });
    slice.now.ms = 8_001;
    await slice.run();
    expect(slice.sends()).toBe(0);
    expect(slice.released).toHaveLength(5);
  });

  test('our own fault gives the claim back, blames nobody and ends the slice', async () => {
    const slice = setUp({
      due: 100,
      send: async (n) => {
        if (n === 3) throw new Error('out of sockets');
        return ok;
      },
    });
    const report = await slice.run();
    expect(report.fault).toEqual(new Error('out of sockets'));
    expect(report.more).toBe(false);
    expect(report.lastFailure).toBeUndefined();
    expect(slice.released).toContain('dlv_2');
    expect(slice.recorded.length + slice.released.length).toBe(slice.claimed());
  });

  test.each([
    ['record', { record: () => Promise.reject(new Error('away')) }],
    ['claim', { claim: () => Promise.reject(new Error('away')) }],
  ])('a failing %s ends the slice with its error and leaves nothing under way', async (_what, failing) => {
    const slice = setUp({ due: 100, ...failing });
    expect((await slice.run()).fault).toEqual(new Error('away'));
    expect(slice.recorded.length + slice.released.length).toBe(slice.claimed());
  });

  test('410 ends the slice: what was under way is recorded, the rest given back', async () => {
    const gone: SendResult = { kind: 'response', statusCode: 410, headers: {}, bodySnippet: '', durationMs: 1 };
    const slice = setUp({ due: 100, send: async () => gone });
    const report = await slice.run();
    expect(slice.sends()).toBe(8);
    expect(report.outcomes.at(0)?.kind).toBe('gone');
    expect(slice.recorded.length + slice.released.length).toBe(slice.claimed());
  });

  test('requests that fail narrow the window to two', async () => {
    const slice = setUp({ due: 100, limits: { maxSends: 30 }, send: async () => answer(500) });
    const report = await slice.run();
    expect(slice.sendingAtStart.slice(0, 8)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(Math.max(...slice.sendingAtStart.slice(8))).toBe(2);
    expect(report).toMatchObject({ putOff: true, lastFailure: { statusCode: 500 } });
    expect(slice.recorded.every(({ disposition }) => disposition.kind === 'retry')).toBe(true);
  });

  test('C24: what came of claims that no longer held is recorded, and does not speak against the endpoint', async () => {
    let records = 0;
    const late = setUp({ due: 8, send: async () => answer(500), record: async () => ++records > 6 });
    const { outcomes, lastFailure } = await late.run();
    expect(late.recorded).toHaveLength(8);
    expect(outcomes).toHaveLength(2);
    expect(lastFailure).toMatchObject({ statusCode: 500 });
    const none = setUp({ due: 3, send: async () => failure('timeout'), record: async () => false });
    expect(await none.run()).toMatchObject({ outcomes: [], lastFailure: undefined });
  });

  test('S39: when a delivery turns out to be held no more, no other is begun, and the rest is given back', async () => {
    const send = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return ok;
    };
    const deleted = setUp({ due: 100, send, record: async () => false });
    expect(await deleted.run()).toMatchObject({ more: true, outcomes: [] });
    expect(deleted.sends()).toBeLessThanOrEqual(16);
    expect(deleted.recorded.length + deleted.released.length).toBe(deleted.claimed());
  });

  test('an endpoint that does not answer five times running ends the slice, so that its breaker opens', async () => {
    const slice = setUp({ due: 100, send: async () => failure('timeout') });
    const report = await slice.run();
    expect(slice.sends()).toBe(8);
    expect(slice.recorded.length + slice.released.length).toBe(slice.claimed());
    expect(report).toMatchObject({ more: true, lastFailure: { statusCode: null } });
    expect(report.outcomes.map(({ flow }) => flow?.kind)).toEqual(Array.from({ length: 8 }, () => 'unreachable'));
  });

  test.each([429, 502, 503, 504])('%i ends the slice: the endpoint wants less', async (status) => {
    const slice = setUp({ due: 100, send: async (n) => (n === 3 ? answer(status, { 'retry-after': '7' }) : ok) });
    const report = await slice.run();
    expect(slice.sends()).toBeLessThan(16);
    expect(report.outcomes.map(({ flow }) => flow).find((flow) => flow?.kind === 'slow_down')?.waitMs).toBe(7_000);
    expect(slice.recorded.length + slice.released.length).toBe(slice.claimed());
  });

  test('a refused connection is tried again at once, as an attempt of its own that moves no schedule', async () => {
    const slice = setUp({ due: 1, send: async (n) => (n === 1 ? failure('connect_refused') : ok) });
    const report = await slice.run();
    expect(slice.recorded.map(({ claim, disposition }) => [claim.attempt, disposition])).toEqual([
      [1, { kind: 'again', leaseMs: 25_000 }],
      [2, { kind: 'succeeded' }],
    ]);
    expect(report.outcomes.map(({ kind }) => kind)).toEqual(['success']);
  });

  test('the second try is the last one at once, and counts once', async () => {
    const slice = setUp({ due: 1, send: async () => failure('reset') });
    const report = await slice.run();
    expect(slice.recorded.map(({ disposition }) => disposition)).toEqual([
      { kind: 'again', leaseMs: 25_000 },
      { kind: 'retry', delayMs: 5_000 },
    ]);
    expect(report.outcomes.map(({ kind }) => kind)).toEqual(['failure']);
  });

  test('C24: the second try is not made when the lease that it was given is nearly over', async () => {
    const slice = setUp({
      due: 1,
      limits: { maxMs: 60_000 },
      send: async () => failure('reset'),
      record: async () => {
        slice.now.ms += 8_000;
        return true;
      },
    });
    await slice.run();
    expect(slice.sends()).toBe(1);
    expect(slice.released).toEqual(['dlv_0']);
  });

  test('nothing is tried again for which the lease was lost, that is a test, or whose breaker is open', async () => {
    const lost = setUp({ due: 1, send: async () => failure('dns'), record: async () => false });
    await lost.run();
    const open = setUp({ due: 1, send: async () => failure('dns'), flow: { open: true } });
    await open.run();
    const once = setUp({ due: 1, send: async () => failure('dns') });
    await once.run([{ ...delivery(0), trigger: 'test', scheduled: false }]);
    expect([lost.sends(), open.sends(), once.sends()]).toEqual([1, 1, 1]);
  });

  test('a record waits for others unless something waits for it: a second try, or the room of a bounded endpoint', async () => {
    const free = setUp({ due: 50 });
    await free.run();
    expect(free.recordedAtOnce).toEqual([]);
    const again = setUp({ due: 1, send: async (n) => (n === 1 ? failure('reset') : ok) });
    await again.run();
    expect(again.recordedAtOnce.map(({ disposition }) => disposition.kind)).toEqual(['again']);
    const bounded = setUp({ due: 50, flow: { maxConcurrency: 2 } });
    await bounded.run();
    expect(bounded.recordedAtOnce).toHaveLength(50);
  });

  test('an ordered endpoint gets one at a time, the next one after the record of the last', async () => {
    const order: string[] = [];
    const slice = setUp({
      due: 200,
      flow: { ordered: true },
      send: async (n) => {
        order.push(`send ${n}`);
        return ok;
      },
      record: async () => {
        await new Promise((resolve) => setImmediate(resolve));
        order.push('record');
        return true;
      },
    });
    await slice.run();
    expect(Math.max(...slice.sendingAtStart)).toBe(1);
    expect(order).toEqual(Array.from({ length: 200 }, (_, i) => [`send ${i + 1}`, 'record']).flat());
  });

  test('the head of an ordered endpoint that has to wait ends the slice; one that is given up does not', async () => {
    const waiting = setUp({ due: 10, flow: { ordered: true }, send: async (n) => (n === 3 ? answer(500) : ok) });
    await waiting.run();
    expect(waiting.sends()).toBe(3);
    expect(waiting.recorded.length + waiting.released.length).toBe(waiting.claimed());
    const given = setUp({
      due: 10,
      flow: { ordered: true },
      send: async (n) => (n === 3 ? failure('blocked_address') : ok),
    });
    await given.run();
    expect(given.sends()).toBe(10);
  });

  test('a concurrency cap that is reached is asked about again when one of the requests is over', async () => {
    const slice = setUp({ due: 40, flow: { maxConcurrency: 3 }, room: () => 3 });
    const report = await slice.run(slice.take(3), true);
    expect(slice.recorded).toHaveLength(40);
    expect(Math.max(...slice.sendingAtStart)).toBeLessThanOrEqual(3);
    expect(report.more).toBe(false);
  });

  test('closing waits for what is under way and gives the rest back', async () => {
    const gate = Promise.withResolvers<SendResult>();
    const slice = setUp({ due: 100, send: () => gate.promise });
    const running = slice.run();
    slice.close();
    gate.resolve(ok);
    const report = await running;
    expect(slice.sends()).toBe(8);
    expect(slice.recorded).toHaveLength(8);
    expect(slice.recorded.length + slice.released.length).toBe(slice.claimed());
    expect(report.more).toBe(true);
  });
});
