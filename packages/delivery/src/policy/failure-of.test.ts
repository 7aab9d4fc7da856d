// Risk: a receiver's developer sees the wrong reason, or a failure for a delivery that was accepted.
import { describe, expect, test } from 'vitest';
import type { SendResponse } from '../transport/send-result.ts';
import { classify, failureOf } from './classify.ts';

const response = (statusCode: number): SendResponse => ({
  kind: 'response',
  statusCode,
  headers: {},
  bodySnippet: '',
  durationMs: 1,
});

test('every status but 2xx is a failure with that status', () => {
  const context = { attempt: 1, maxAttempts: 9, now: new Date(0), random: () => 0.5, scale: 1 };
  for (let status = 200; status <= 599; status++) {
    const failure = failureOf(response(status));
    expect(failure === undefined, String(status)).toBe(classify(response(status), context).kind === 'delivered');
    if (failure === undefined) continue;
    expect(failure.error).toBe(`http_${status}`);
    expect(failure.message).toContain(` ${status}`);
  }
});

describe('the sentence', () => {
  test.each([
    [301, 'The endpoint returned 301; redirects are not followed.'],
    [308, 'The endpoint returned 308; redirects are not followed.'],
    [404, 'The endpoint returned 404 instead of a 2xx status.'],
    [410, 'The endpoint returned 410 Gone: it accepts no more deliveries.'],
    [500, 'The endpoint returned 500 instead of a 2xx status.'],
  ])('of %i is "%s"', (status, sentence) => {
    expect(failureOf(response(status))?.message).toBe(sentence);
  });

  test('S31: of an error is its own, without the secret that it may hold', () => {
    const message = `The response was no HTTP: "authorization: Bearer ${'a'.repeat(30)}".`;
    const failure = failureOf({ kind: 'error', errorClass: 'protocol', message, durationMs: 1 });
    expect(failure).toEqual({ error: 'protocol', message: expect.not.stringContaining('aaaa') });
  });
});
