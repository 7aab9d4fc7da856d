// Risk: large bodies take more memory than a process has, or the room of one that was given up is never given back.
import { expect, test } from 'vitest';
import { createBodyBudget } from './body-budget.ts';

const never = new AbortController().signal;
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('gives room in the order of the calls, though a later one would fit', async () => {
  const budget = createBodyBudget(10);
  const got: string[] = [];
  const first = await budget.take(6, never);
  const rooms = [
    budget.take(8, never).finally(() => got.push('large')),
    budget.take(1, never).finally(() => got.push('small')),
  ];
  await settled();
  expect(got).toEqual([]);
  first?.[Symbol.dispose]();
  await Promise.all(rooms);
  expect(got).toEqual(['large', 'small']);
});

test('one always fits, however large, and then it is alone', async () => {
  const budget = createBodyBudget(10);
  const huge = await budget.take(99, never);
  const next = budget.take(1, never);
  await settled();
  expect(huge).toBeDefined();
  huge?.[Symbol.dispose]();
  expect(await next).toBeDefined();
});

test('who gives up takes nothing, and lets the next one pass', async () => {
  const budget = createBodyBudget(10);
  const first = await budget.take(6, never);
  const impatient = new AbortController();
  const large = budget.take(8, impatient.signal);
  const small = budget.take(4, never);
  impatient.abort();
  expect(await large).toBeUndefined();
  const second = await small;
  expect(second).toBeDefined();
  expect(await budget.take(1, impatient.signal)).toBeUndefined();
  first?.[Symbol.dispose]();
  second?.[Symbol.dispose]();
  expect(await budget.take(10, never)).toBeDefined();
});
