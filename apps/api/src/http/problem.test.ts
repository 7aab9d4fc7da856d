// Risk: an error says that nothing was stored although it was, and the client stores it twice.
import { errorOfCommit } from '@finhook/core';
import { expect, test } from 'vitest';
import { toDomainError } from './problem.ts';

test('a lost database is reported as nothing stored only if nothing was committed', () => {
  const lost = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  const full = Object.assign(new Error('disk full'), { code: '53100' });
  const [wrong, gone] = ['28P01', '3D000'].map((code) => Object.assign(new Error('refused'), { code }));
  const sure = [lost, wrong, gone, errorOfCommit(full)];
  const told = [...sure, errorOfCommit(lost), new Error('x', { cause: errorOfCommit(lost) })].map(toDomainError);
  expect(told.map(({ code, retryAfter }) => [code, retryAfter])).toEqual(told.map(() => ['unavailable', 5]));
  expect(told.map(({ message }) => message.includes('Nothing was stored'))).toEqual([
    ...sure.map(() => true),
    false,
    false,
  ]);
  expect(told[4]?.message).toContain('send the request again with the same Idempotency-Key, or read the records first');
});
