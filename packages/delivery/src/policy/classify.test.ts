// Risk: a failure counts as success, a permanent failure is retried, or a Retry-After is ignored.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ErrorClass, SendResult } from '../transport/send-result.ts';
import { classify, failureOf } from './classify.ts';

const now = new Date('2026-01-01T00:00:00.000Z');
const context = { attempt: 1, maxAttempts: 10, now, scale: 1, random: () => 0.5 };

const response = (statusCode: number, headers: Record<string, string> = {}): SendResult => ({
  kind: 'response',
  statusCode,
  headers,
  bodySnippet: '',
  durationMs: 1,
});
const failure = (errorClass: ErrorClass): SendResult => ({ kind: 'error', errorClass, message: 'why', durationMs: 1 });
const retryIn = (ms: number) => ({ kind: 'retry', nextAttemptAt: new Date(now.getTime() + ms) });

function expectedKind(status: number, isLast: boolean): string {
  if (status >= 200 && status < 300) return 'delivered';
  if (status === 410) return 'gone';
  return isLast ? 'out_of_attempts' : 'retry';
}

test('every status from 100 to 599 has its one outcome on every attempt', () => {
  const input = fc.tuple(fc.integer({ min: 100, max: 599 }), fc.integer({ min: 1, max: 10 }));
  fc.assert(
    fc.property(input, ([status, attempt]) => {
      expect(classify(response(status), { ...context, attempt }).kind).toBe(expectedKind(status, attempt === 10));
    }),
    { numRuns: 2000 },
  );
});

test.each<ErrorClass>(['dns', 'connect_refused', 'connect_timeout', 'timeout', 'reset', 'tls', 'protocol', 'unknown'])(
  'no response (%s) is retried until the attempts are used up',
  (errorClass) => {
    expect(classify(failure(errorClass), context)).toEqual(retryIn(5000));
    expect(classify(failure(errorClass), { ...context, attempt: 9 })).toEqual(retryIn(24 * 3600e3));
    expect(classify(failure(errorClass), { ...context, attempt: 10 })).toEqual({ kind: 'out_of_attempts' });
  },
);

test('a blocked address is final on every attempt', () => {
  for (const attempt of [1, 10]) {
    expect(classify(failure('blocked_address'), { ...context, attempt })).toEqual({ kind: 'blocked', reason: 'why' });
  }
});

test('a delivery that allows one attempt is never retried', () => {
  expect(classify(response(500), { ...context, maxAttempts: 1 })).toEqual({ kind: 'out_of_attempts' });
});

test.each([
  [429, '60', 60_000],
  [503, '60', 60_000],
  [503, 'Thu, 01 Jan 2026 00:02:00 GMT', 120_000],
  [429, '999999', 24 * 3600e3],
  [413, '60', 60_000],
  [425, '60', 60_000],
  [429, '1', 5000],
  [429, 'junk', 5000],
  [500, '60', 5000],
  [301, '60', 5000],
])('%d with Retry-After %j waits %d ms', (status, value, wait) => {
  expect(classify(response(status, { 'retry-after': value }), context)).toEqual(retryIn(wait));
});

test('the scale shortens the waits of the schedule, not what the endpoint asked for', () => {
  const fast = { ...context, scale: 0.001 };
  expect(classify(response(500), fast)).toEqual(retryIn(5));
  expect(classify(response(429, { 'retry-after': '2' }), fast)).toEqual(retryIn(2000));
});

test('every status but 2xx is a failure with that status', () => {
  for (let status = 200; status <= 599; status++) {
    const failed = failureOf(response(status));
    expect(failed === undefined, String(status)).toBe(classify(response(status), context).kind === 'delivered');
    if (failed === undefined) continue;
    expect(failed.error).toBe(`http_${status}`);
    expect(failed.message).toContain(` ${status}`);
  }
});

describe('the sentence', () => {
  test.each([
    [301, 'The endpoint returned 301; redirects are not followed.'],
    [308, 'The endpoint returned 308; redirects are not followed.'],
    [304, 'The endpoint returned 304 instead of a 2xx status.'],
    [404, 'The endpoint returned 404 instead of a 2xx status.'],
    [410, 'The endpoint returned 410 Gone: it accepts no more deliveries.'],
    [500, 'The endpoint returned 500 instead of a 2xx status.'],
  ])('of %i is "%s"', (status, sentence) => {
    expect(failureOf(response(status))?.message).toBe(sentence);
  });

  test('of an error is its own, without the secret that it may hold', () => {
    const message = `The answer was no HTTP: "authorization: Bearer ${'a'.repeat(30)}".`;
    const failed = failureOf({ kind: 'error', errorClass: 'protocol', message, durationMs: 1 });
    expect(failed).toEqual({ error: 'protocol', message: expect.not.stringContaining('aaaa') });
  });
});
