// Risk: a bug in the page is reported as a lost connection, and nobody looks for it.
import { TRPCClientError } from '@trpc/client';
import { expect, test } from 'vitest';
import { explain, NO_RESPONSE } from './problem.ts';
import { createSessionStore } from './session-store.ts';

test('a call or session request without a response says so', async () => {
  const failed = new TypeError('Failed to fetch');
  expect(explain(TRPCClientError.from(failed))).toBe(NO_RESPONSE);
  const refusal: unknown = await createSessionStore(
    () => undefined,
    () => Promise.reject(failed),
  )
    .ask()
    .catch((error: unknown) => error);
  expect(explain(refusal)).toBe(NO_RESPONSE);
});

test('any other TypeError is a bug of the page, and its text is not shown', () => {
  expect(explain(new TypeError('l is not a function'))).toMatch(/^Something on this page failed/);
});
