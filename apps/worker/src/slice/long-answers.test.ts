// Risk: one slow answer holds up everything else of its endpoint, or what came about meanwhile is told twice or never.
import type { SendResult } from '@finhook/delivery';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { answer, ok, setUp } from '../../test/slice-fixture.ts';

const patienceMs = 5;
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A slice of five, of which the second is answered when `answerIt` is called. */
function setUpSlow(rest: Partial<Parameters<typeof setUp>[0]> = {}) {
  const slow = Promise.withResolvers<SendResult>();
  const slice = setUp({ due: 5, send: (n) => (n === 2 ? slow.promise : Promise.resolve(ok)), ...rest });
  return { slice, answerIt: slow.resolve, begin: () => slice.run(undefined, false, patienceMs) };
}

test('while an answer takes long, what comes due is sent beside it', async () => {
  const { slice, answerIt, begin } = setUpSlow();
  const first = await begin();
  expect(first).toMatchObject({ open: true, mayGoOn: true, more: false });
  expect(first.outcomes).toHaveLength(4);
  slice.add(10);
  const second = await slice.goOn(patienceMs);
  expect(second).toMatchObject({ open: true, mayGoOn: true });
  expect(second.outcomes).toHaveLength(10);
  answerIt(ok);
  const last = await slice.finish();
  expect(last).toMatchObject({ open: false });
  expect(last.outcomes).toHaveLength(1);
  expect(slice.recorded).toHaveLength(15);
});

test('what is answered between two reports is told by the next one, failures and all', async () => {
  const { slice, answerIt, begin } = setUpSlow();
  await begin();
  answerIt(answer(500));
  await settled();
  const next = await slice.goOn(patienceMs);
  expect(next).toMatchObject({ open: false, putOff: true, lastFailure: { statusCode: 500 } });
  expect(next.outcomes).toHaveLength(1);
});

test('a slice whose time is over goes on for as long again, and takes what it gave back', async () => {
  const { slice, answerIt, begin } = setUpSlow({ due: 60, limits: { maxSends: 20 } });
  expect(await begin()).toMatchObject({ open: true, mayGoOn: true, more: true });
  expect(slice.sends()).toBe(20);
  expect(await slice.goOn(patienceMs)).toMatchObject({ open: true, more: true });
  expect(slice.sends()).toBe(40);
  answerIt(ok);
  expect(await slice.finish()).toMatchObject({ open: false, more: true });
  expect(slice.sends()).toBe(40);
});

test.each([
  ['the worker closes', (slice: ReturnType<typeof setUp>) => slice.close(), ok],
  ['the endpoint is gone', () => undefined, answer(410)],
])('it does not go on when %s', async (_when, happens, last) => {
  const [second, third] = [Promise.withResolvers<SendResult>(), Promise.withResolvers<SendResult>()];
  const late = new Map([
    [2, second.promise],
    [3, third.promise],
  ]);
  const { slice, begin } = setUpSlow({ send: (n) => late.get(n) ?? Promise.resolve(ok) });
  const running = begin();
  await settled();
  happens(slice);
  third.resolve(last);
  expect(await running).toMatchObject({ open: true, mayGoOn: false });
  slice.add(10);
  const finishing = slice.goOn(patienceMs);
  second.resolve(ok);
  expect(await finishing).toMatchObject({ open: false });
  expect(slice.sends()).toBe(5);
});

test('whatever takes how long, each delivery is sent and told once', async () => {
  const plan = fc.record({
    delays: fc.array(fc.constantFrom(0, 1, 8, 15), { minLength: 1, maxLength: 20 }),
    due: fc.integer({ min: 1, max: 60 }),
    added: fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 4 }),
    maxSends: fc.integer({ min: 5, max: 100 }),
  });
  await fc.assert(
    fc.asyncProperty(plan, async ({ delays, due, added, maxSends }) => {
      const send = async (n: number) => {
        await new Promise((resolve) => setTimeout(resolve, delays[n % delays.length]));
        return ok;
      };
      const slice = setUp({ due, send, limits: { maxSends } });
      let report = await slice.run(undefined, false, 3);
      let told = report.outcomes.length;
      for (let i = 0; report.open; i++) {
        slice.add(added[i] ?? 0);
        report = i < 8 ? await slice.goOn(3) : await slice.finish();
        told += report.outcomes.length;
      }
      const sent = slice.recorded.map(({ claim }) => claim.deliveryId);
      expect(new Set(sent).size).toBe(sent.length);
      expect([told, sent.length]).toEqual([slice.sends(), slice.sends()]);
      expect(slice.sends() + slice.released.length).toBe(slice.claimed());
    }),
    { numRuns: 40 },
  );
});
