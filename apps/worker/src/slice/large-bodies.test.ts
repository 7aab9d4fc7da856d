// Risk: large bodies take more memory than a process has, are sent out of order, or after the end of their lease.
import { expect, test } from 'vitest';
import { ok, setUp } from '../../test/slice-fixture.ts';
import { createBodyBudget } from './body-budget.ts';

test('D14: large bodies of many endpoints are loaded within their account’s half of the room, and each is sent whole, once', async () => {
  const mebibyte = 1024 * 1024;
  const bodies = createBodyBudget(32 * mebibyte);
  let loaded = 0;
  let most = 0;
  const load = async (eventId: string) => {
    loaded += 2 * mebibyte;
    most = Math.max(most, loaded);
    return Buffer.from(eventId);
  };
  const send = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    loaded -= 2 * mebibyte;
    return ok;
  };
  const slices = Array.from({ length: 50 }, () => setUp({ due: 16, large: 2 * mebibyte, load, send, bodies }));
  await Promise.all(slices.map((slice) => slice.run()));
  const all = Array.from({ length: 16 }, (_, i) => `evt_${i}`);
  for (const { sentBodies, recorded, released } of slices) {
    expect(sentBodies.toSorted()).toEqual(all.toSorted());
    expect(recorded).toHaveLength(16);
    expect(released).toEqual([]);
  }
  expect(most).toBe(16 * mebibyte);
});

test('what was sent is no longer in memory when it waits for its record', async () => {
  const slice = setUp({ due: 20 });
  await slice.run();
  expect(slice.recorded.map(({ claim }) => claim.body)).toEqual(Array.from({ length: 20 }, () => null));
});

test('an ordered endpoint gets large bodies in their order, though their loads take unequally long', async () => {
  const load = async (eventId: string) => {
    for (let i = Number(eventId.slice(4)); i < 30; i += 7) await new Promise((resolve) => setImmediate(resolve));
    return Buffer.from(eventId);
  };
  const slice = setUp({ due: 30, large: 10, load, bodies: createBodyBudget(1_000), flow: { ordered: true } });
  await slice.run();
  expect(slice.sentBodies).toEqual(Array.from({ length: 30 }, (_, i) => `evt_${i}`));
});

test.each([
  ['its lease is too old', 8_000, false],
  ['the worker closes', 0, true],
])('a large body that is loaded when %s is not sent, and nor is what follows it', async (_when, afterMs, closes) => {
  const loading = Promise.withResolvers<Buffer>();
  const limits = { maxMs: 60_000 };
  const slice = setUp({ due: 5, large: 10, load: () => loading.promise, flow: { ordered: true }, limits });
  const running = slice.run();
  await new Promise((resolve) => setImmediate(resolve));
  slice.now.ms = afterMs;
  if (closes) slice.close();
  loading.resolve(Buffer.from('late'));
  expect(await running).toMatchObject({ more: true, fault: undefined });
  expect(slice.sends()).toBe(0);
  expect(slice.released.toSorted()).toEqual(['dlv_0', 'dlv_1', 'dlv_2', 'dlv_3', 'dlv_4']);
});

test('what waits for room among the large bodies is given back when the worker closes, or its lease is too old', async () => {
  const bodies = createBodyBudget(10);
  using _room = await bodies.take('acct_1', 10, new AbortController().signal);
  const closing = setUp({ due: 3, large: 10, bodies });
  const running = closing.run();
  closing.close();
  await running;
  const late = setUp({ due: 3, large: 10, bodies, limits: { startWithinMs: 20 } });
  expect(await late.run()).toMatchObject({ more: true });
  expect([closing.sends(), late.sends()]).toEqual([0, 0]);
  expect([closing.released.length, late.released.length]).toEqual([3, 3]);
});

test('a body that cannot be loaded ends the slice with its error; the claims are given back', async () => {
  const slice = setUp({ due: 3, large: 10, load: () => Promise.reject(new Error('away')) });
  expect((await slice.run()).fault).toEqual(new Error('away'));
  expect(slice.sends()).toBe(0);
  expect(slice.released).toHaveLength(3);
});
