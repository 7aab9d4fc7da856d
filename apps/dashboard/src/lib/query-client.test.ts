// Risk: an import ends at an error that passes, or a request that is rejected for good is repeated.
import { expect, test } from 'vitest';
import { mayPass } from './query-client.ts';

test.each([
  [
    'the request before it is still running',
    'may help',
    { code: 'idempotency_in_progress', status: 409, retryable: true },
  ],
  ['there are too many requests', 'may help', { code: 'rate_limited', status: 429, retryable: true }],
  ['the service is not available', 'may help', { code: 'unavailable', status: 503, retryable: true }],
  [
    'the connection belongs to another key',
    'does not help',
    { code: 'connection_owned', status: 409, retryable: false },
  ],
  ['the input is invalid', 'does not help', { code: 'validation_failed', status: 422, retryable: false }],
])('if %s, a retry %s', (_, expected, problem) => {
  expect(mayPass({ problem: { detail: 'x', ...problem } })).toBe(expected === 'may help');
});

test('without a response, a retry may help', () => {
  expect(mayPass(new TypeError('Failed to fetch'))).toBe(true);
});
