// Risk: calls of different accounts or kinds are carried out together, or what a busy moment needed stays in memory.
import { expect, test } from 'vitest';
import { type BatchKind, createCoalesce } from './coalesce.ts';

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

test('calls after an idle moment are carried out as before', async () => {
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
