// Risk: a burst of requests with one key blocks other accounts with as many look-ups, or a revocation is seen late.
import { expect, test } from 'vitest';
import { createTtlCache } from './credential-lookup.ts';

/** A cache with the test's clock, and reads that the test ends. */
function open(keeps?: (value: string) => boolean) {
  const clock = { ms: 0 };
  const cached = createTtlCache({ now: () => new Date(clock.ms) }, keeps);
  const reads: PromiseWithResolvers<string | undefined>[] = [];
  const ask = (key = 'key') =>
    cached(key, () => {
      const read = Promise.withResolvers<string | undefined>();
      reads.push(read);
      return read.promise;
    });
  return { clock, reads, ask };
}

test('callers that ask at once cause one read for each key', async () => {
  const { reads, ask } = open();
  const asked = [ask(), ask(), ask('another'), ask()];
  expect(reads).toHaveLength(2);
  reads[0]?.resolve('found');
  reads[1]?.resolve(undefined);
  expect(await Promise.all(asked)).toEqual(['found', 'found', undefined, 'found']);
  expect([await ask(), await ask('another'), reads.length]).toEqual(['found', undefined, 2]);
});

test('a value is kept for half a second from the beginning of its read, however long that takes', async () => {
  const { clock, reads, ask } = open();
  const first = ask();
  clock.ms = 499;
  const joined = ask();
  clock.ms = 500;
  const later = ask();
  expect(reads).toHaveLength(2);
  reads[1]?.resolve('new');
  reads[0]?.resolve('old');
  expect(await Promise.all([first, joined, later])).toEqual(['old', 'old', 'new']);
  expect(await ask()).toBe('new');
});

test('a value that may not be cached is read for each caller, also for callers during a read', async () => {
  const { reads, ask } = open((value) => value !== 'agent');
  const asked = [ask(), ask()];
  reads[0]?.resolve('agent');
  expect(await asked[0]).toBe('agent');
  await expect.poll(() => reads.length).toBe(2);
  reads[1]?.resolve('changed');
  expect(await asked[1]).toBe('changed');
  void ask();
  expect(reads).toHaveLength(3);
});

test('a failed read rejects its waiting callers, and the next caller reads again', async () => {
  const { reads, ask } = open();
  const asked = Promise.allSettled([ask(), ask()]);
  reads[0]?.reject(new Error('The database is away.'));
  expect((await asked).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const next = ask();
  reads[1]?.resolve('found');
  expect(await next).toBe('found');
});
