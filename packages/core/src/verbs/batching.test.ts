// Risk: a batched call gets another's result, is lost or delayed, or one failing item stops a maintenance run.
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type BatchKind, createCoalesce, createMicroBatch, forEachSettled } from './batching.ts';

/** A batch function whose calls the test ends. */
function controlled() {
  const calls: { items: readonly number[]; end: () => void; fail: (error: Error) => void }[] = [];
  const run = (items: readonly number[]) =>
    new Promise<readonly string[]>((resolve, reject) => {
      calls.push({ items, end: () => resolve(items.map((item) => `${item}!`)), fail: reject });
    });
  return { calls, run, items: () => calls.map((call) => call.items) };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

afterEach(() => void vi.useRealTimers());

describe('createMicroBatch', () => {
  test('calls of one turn go together and each gets its own answer', async () => {
    const { calls, run, items } = controlled();
    const call = createMicroBatch({ run, maxWeight: 10, inFlight: 1 });
    const answers = Promise.all([call(1), call(2), call(3)]);
    await nextTurn();
    expect(items()).toEqual([[1, 2, 3]]);
    calls[0]?.end();
    expect(await answers).toEqual(['1!', '2!', '3!']);
  });

  test('calls during a batch go to the next one, up to its maximum weight', async () => {
    const { calls, run, items } = controlled();
    const call = createMicroBatch({ run, maxWeight: 5, weigh: (item) => item, inFlight: 1 });
    const first = call(1);
    await nextTurn();
    const later = Promise.all([call(2), call(3), call(4), call(9)]);
    await nextTurn();
    expect(items()).toEqual([[1]]);
    calls[0]?.end();
    expect(await first).toBe('1!');
    for (let index = 1; index < 4; index++) {
      await nextTurn();
      calls[index]?.end();
    }
    expect(await later).toEqual(['2!', '3!', '4!', '9!']);
    expect(items()).toEqual([[1], [2, 3], [4], [9]]);
  });

  test.each([[[]], [['1!']], [['1!', '2!', '3!']]])(
    'the answers %j to two calls are for neither, and not asked for again',
    async (answers) => {
      const calls: (readonly number[])[] = [];
      const run = async (items: readonly number[]) => {
        calls.push(items);
        return answers;
      };
      const call = createMicroBatch({ run, maxWeight: 10, inFlight: 1 });
      const miscounted = { status: 'rejected', reason: { message: `A batch of 2 has ${answers.length} results.` } };
      expect(await Promise.allSettled([call(1), call(2)])).toMatchObject([miscounted, miscounted]);
      expect(calls).toEqual([[1, 2]]);
    },
  );

  test('a second batch begins when it is full, and no more than inFlight run at once', async () => {
    const { calls, run, items } = controlled();
    const call = createMicroBatch({ run, maxWeight: 2, inFlight: 2 });
    const answers = [call(1)];
    await nextTurn();
    answers.push(call(2));
    await nextTurn();
    expect(items()).toEqual([[1]]);
    answers.push(call(3), call(4), call(5));
    await nextTurn();
    expect(items()).toEqual([[1], [2, 3]]);
    calls[0]?.end();
    await nextTurn();
    expect(items()).toEqual([[1], [2, 3], [4, 5]]);
    calls[1]?.end();
    calls[2]?.end();
    expect(await Promise.all(answers)).toEqual(['1!', '2!', '3!', '4!', '5!']);
  });

  test('batches start at the minimum interval, except the first and full ones', async () => {
    vi.useFakeTimers();
    const startedAt = Date.now();
    const begun: { at: number; items: readonly number[] }[] = [];
    const run = async (items: readonly number[]) => {
      begun.push({ at: Date.now() - startedAt, items });
      return items;
    };
    const call = createMicroBatch({ run, maxWeight: 3, inFlight: 1, gatherMs: 150 });
    const calls = { 0: [1], 5: [2], 10: [3], 160: [4, 5, 6], 320: [7] };
    const answers: Promise<number>[] = [];
    for (const [at, items] of Object.entries(calls)) {
      await vi.advanceTimersByTimeAsync(Number(at) - (Date.now() - startedAt));
      answers.push(...items.map(call));
      await vi.advanceTimersByTimeAsync(0);
    }
    expect(await Promise.all(answers)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(begun).toEqual([
      { at: 0, items: [1] },
      { at: 150, items: [2, 3] },
      { at: 160, items: [4, 5, 6] },
      { at: 320, items: [7] },
    ]);
  });

  test('a batcher that waits for its interval is not idle', async () => {
    const { calls, run } = controlled();
    let idle = 0;
    const call = createMicroBatch({ run, maxWeight: 3, inFlight: 1, gatherMs: 30, onIdle: () => (idle += 1) });
    const answers = [call(1)];
    await nextTurn();
    answers.push(call(2));
    calls[0]?.end();
    expect(await answers[0]).toBe('1!');
    expect(idle).toBe(0);
    await delay(40);
    calls[1]?.end();
    expect(await answers[1]).toBe('2!');
    await nextTurn();
    expect(idle).toBe(1);
  });

  test('when the database is unavailable, a batch rejects only its calls', async () => {
    const { calls, run } = controlled();
    const call = createMicroBatch({ run, maxWeight: 2, inFlight: 1 });
    const answers = Promise.allSettled([call(1), call(2), call(3)]);
    await nextTurn();
    calls[0]?.fail(Object.assign(new Error('away'), { code: 'ECONNRESET' }));
    await nextTurn();
    calls[1]?.end();
    expect((await answers).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  });

  test('failing items are rejected, and all others of their batch run once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 50 }), async (isGood) => {
        const done: number[] = [];
        const run = async (items: readonly number[]) => {
          if (items.some((item) => isGood[item] === false)) throw new Error('LIMIT must not be negative');
          done.push(...items);
          return items.map((item) => `${item}!`);
        };
        const call = createMicroBatch({ run, maxWeight: 100, inFlight: 1 });
        const answers = await Promise.allSettled(isGood.map((_, item) => call(item)));
        expect(answers.map(({ status }) => status === 'fulfilled')).toEqual(isGood);
        expect(done).toEqual(isGood.flatMap((good, item) => (good ? [item] : [])));
      }),
    );
  });
});

function recording(): { kind: BatchKind<string, string>; batches: (readonly string[])[] } {
  const batches: (readonly string[])[] = [];
  const run = async (items: readonly string[]) => {
    batches.push(items);
    return items.map((item) => item.toUpperCase());
  };
  return { kind: { run, maxWeight: 3, inFlight: 1 }, batches };
}

test('calls of one kind and key go together, others do not', async () => {
  const coalesce = createCoalesce();
  const [one, two] = [recording(), recording()];
  const answers = await Promise.all([
    coalesce(one.kind, 'acct_1', 'a'),
    coalesce(one.kind, 'acct_2', 'b'),
    coalesce(two.kind, 'acct_1', 'c'),
    coalesce(one.kind, 'acct_1', 'd'),
  ]);
  expect(answers).toEqual(['A', 'B', 'C', 'D']);
  expect(one.batches).toEqual([['a', 'd'], ['b']]);
  expect(two.batches).toEqual([['c']]);
});

test('calls after an idle moment run as before', async () => {
  const coalesce = createCoalesce();
  const { kind, batches } = recording();
  for (const item of ['a', 'b']) await coalesce(kind, 'acct_1', item);
  await Promise.all(['c', 'd', 'e', 'f'].map((item) => coalesce(kind, 'acct_1', item)));
  expect(batches).toEqual([['a'], ['b'], ['c', 'd', 'e'], ['f']]);
});

test('two processes do not share their batches', async () => {
  const { kind, batches } = recording();
  await Promise.all([createCoalesce()(kind, 'acct_1', 'a'), createCoalesce()(kind, 'acct_1', 'b')]);
  expect(batches).toEqual([['a'], ['b']]);
});

test('a failing item does not stop the others, and is reported at the end', async () => {
  const seen: number[] = [];
  const failure = new Error('It is the third.');
  const pass = forEachSettled([1, 2, 3, 4, 5], async (n) => {
    seen.push(n);
    if (n === 3) throw failure;
  });
  await expect(pass).rejects.toMatchObject({ message: '1 of 5 failed.', errors: [failure] });
  expect(seen).toEqual([1, 2, 3, 4, 5]);
});

test('without a database no further item is tried', async () => {
  const seen: number[] = [];
  const away = Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
  const pass = forEachSettled([1, 2, 3], async (n) => {
    seen.push(n);
    throw away;
  });
  await expect(pass).rejects.toBe(away);
  expect(seen).toEqual([1]);
});
