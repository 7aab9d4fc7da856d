// Risk: a rejected write is reported as possibly stored.
import { expect, test } from 'vitest';
import { errorOfCommit, isDatabaseUnavailable, isOutcomeUnknown } from './database-error.ts';

const failure = (code: string) => Object.assign(new Error(`the server said ${code}`), { code });

test.each([
  ['25006', 'takes no writes'],
  ['53100', 'has no room on its disk'],
])('%s: a server that %s has not committed, and callers may try again', (code) => {
  const seen = errorOfCommit(failure(code));
  expect([isOutcomeUnknown(seen), isDatabaseUnavailable(seen)]).toEqual([false, true]);
});

test.each(['57P01', '08006', 'ECONNRESET'])(
  '%s: nobody knows whether a server that went away has committed',
  (code) => {
    expect(isOutcomeUnknown(errorOfCommit(failure(code)))).toBe(true);
  },
);
