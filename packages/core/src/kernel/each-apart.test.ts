// Risk: one row that always fails ends every pass of maintenance, and what stands behind it is never done.
import { expect, test } from 'vitest';
import { eachApart } from './each-apart.ts';

test('what fails for one is done for the others, and told at the end', async () => {
  const seen: number[] = [];
  const failure = new Error('It is the third.');
  const pass = eachApart([1, 2, 3, 4, 5], async (n) => {
    seen.push(n);
    if (n === 3) throw failure;
  });
  await expect(pass).rejects.toMatchObject({ message: '1 of 5 failed.', errors: [failure] });
  expect(seen).toEqual([1, 2, 3, 4, 5]);
});

test('without a database nothing more is tried', async () => {
  const seen: number[] = [];
  const away = Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
  const pass = eachApart([1, 2, 3], async (n) => {
    seen.push(n);
    throw away;
  });
  await expect(pass).rejects.toBe(away);
  expect(seen).toEqual([1]);
});
