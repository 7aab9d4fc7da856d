// Risk: large bodies take more memory than a process has, those of one account keep others waiting, or room is never given back.
import { expect, test } from 'vitest';
import { createBodyBudget } from './body-budget.ts';

const never = new AbortController().signal;
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('gives an account room in the order of its calls, though a later one would fit', async () => {
  const budget = createBodyBudget(20);
  const got: string[] = [];
  const first = await budget.take('acct_1', 9, never);
  const rooms = [
    budget.take('acct_1', 9, never).finally(() => got.push('large')),
    budget.take('acct_1', 1, never).finally(() => got.push('small')),
  ];
  await settled();
  expect(got).toEqual([]);
  first?.[Symbol.dispose]();
  await Promise.all(rooms);
  expect(got).toEqual(['large', 'small']);
});

test('one always fits, however large, and then it is alone', async () => {
  const budget = createBodyBudget(10);
  const huge = await budget.take('acct_1', 99, never);
  const next = budget.take('acct_2', 1, never);
  await settled();
  expect(huge).toBeDefined();
  huge?.[Symbol.dispose]();
  expect(await next).toBeDefined();
});

test('what an account waits for keeps nobody else waiting', async () => {
  const budget = createBodyBudget(30);
  const held = [await budget.take('acct_1', 10, never), await budget.take('acct_1', 5, never)];
  const waiting = Array.from({ length: 100 }, () => budget.take('acct_1', 10, never));
  await settled();
  expect(await budget.take('acct_2', 7, never)).toBeDefined();
  for (const room of held) room?.[Symbol.dispose]();
  expect(await waiting[0]).toBeDefined();
});

test('who has nothing yet and needs more than is free is passed by nobody', async () => {
  const budget = createBodyBudget(30);
  const got: string[] = [];
  const held = await Promise.all([budget.take('acct_1', 15, never), budget.take('acct_2', 7, never)]);
  const large = budget.take('acct_3', 10, never).then((room) => got.push('large') && room);
  const small = budget.take('acct_4', 1, never).then((room) => got.push('small') && room);
  await settled();
  expect(got).toEqual([]);
  held[1]?.[Symbol.dispose]();
  await Promise.all([large, small]);
  expect(got).toEqual(['large', 'small']);
});

test('who gives up takes nothing, and lets the next one pass', async () => {
  const budget = createBodyBudget(10);
  const first = await budget.take('acct_1', 6, never);
  const impatient = new AbortController();
  const large = budget.take('acct_2', 8, impatient.signal);
  const small = budget.take('acct_3', 4, never);
  impatient.abort();
  expect(await large).toBeUndefined();
  const second = await small;
  expect(second).toBeDefined();
  expect(await budget.take('acct_1', 1, impatient.signal)).toBeUndefined();
  first?.[Symbol.dispose]();
  second?.[Symbol.dispose]();
  expect(await budget.take('acct_1', 10, never)).toBeDefined();
});
