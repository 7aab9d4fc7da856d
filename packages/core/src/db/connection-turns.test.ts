// Risk: one account holds every connection, or a request waits forever while connections are free.
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { createConnectionTurns } from './connection-turns.ts';

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function open(max: number, waitMs = 600_000) {
  const turns = createConnectionTurns({ max, waitMs });
  const granted: string[] = [];
  const held: { accountId: string; release: () => void }[] = [];
  const ask = (accountId: string) =>
    turns.take(accountId).then((release) => {
      granted.push(accountId);
      held.push({ accountId, release });
    });
  return { turns, granted, held, ask };
}

test('one account holds at most seven eighths of the connections; another gets the rest at once', async () => {
  const { granted, held, ask, turns } = open(10);
  const many = Array.from({ length: 30 }, () => ask('one'));
  await ask('another');
  expect(granted).toEqual([...Array<string>(9).fill('one'), 'another']);
  expect(turns.waiting()).toBe(21);
  while (held.length > 0) {
    held.shift()?.release();
    await settle();
  }
  await Promise.all(many);
  expect(turns.waiting()).toBe(0);
});

test('waiting accounts take turns, regardless of their number of requests', async () => {
  const { granted, held, ask } = open(1);
  const asked = ['one', 'one', 'one', 'one', 'another', 'third', 'another'].map(ask);
  for (let n = 0; n < asked.length; n++) {
    await settle();
    held.shift()?.release();
  }
  await Promise.all(asked);
  expect(granted).toEqual(['one', 'one', 'another', 'third', 'one', 'another', 'one']);
});

test('statements without an account may take every connection', async () => {
  const { turns } = open(8);
  const releases = await Promise.all(Array.from({ length: 8 }, () => turns.take(undefined)));
  expect(releases).toHaveLength(8);
});

test('lends no more than the maximum, in order within each account, and serves every request', async () => {
  const requests = fc.array(fc.constantFrom('one', 'another', 'third'), { minLength: 1, maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(requests, fc.integer({ min: 1, max: 9 }), fc.nat(), async (accounts, max, seed) => {
      const turns = createConnectionTurns({ max, waitMs: 600_000 });
      const held: (() => void)[] = [];
      const admitted: number[] = [];
      const asked = accounts.map((accountId, n) =>
        turns.take(accountId).then((release) => {
          admitted.push(n);
          held.push(release);
        }),
      );
      for (let left = accounts.length; left > 0; left--) {
        await settle();
        expect(held.length).toBeGreaterThan(0);
        expect(held.length).toBeLessThanOrEqual(max);
        held.splice((seed + left) % held.length, 1)[0]?.();
      }
      await Promise.all(asked);
      for (const accountId of new Set(accounts)) {
        const own = admitted.filter((n) => accounts[n] === accountId);
        expect(own).toEqual(own.toSorted((a, b) => a - b));
      }
    }),
    { numRuns: 60 },
  );
});

test('a request that waits too long fails like one that waits for the pool, and takes no turn', async () => {
  const { turns, held, ask } = open(1, 10);
  await ask('one');
  await expect(turns.take('another')).rejects.toThrow('timeout exceeded when trying to connect');
  expect(turns.waiting()).toBe(0);
  held.shift()?.release();
  await vi.waitFor(async () => (await turns.take('another'))());
});
