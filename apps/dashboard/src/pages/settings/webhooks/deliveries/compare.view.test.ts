// Risk: the comparison of two attempts hides what differs, or shows a difference where there is none.
import { expect, test } from 'vitest';
import type { Attempt } from '../attempt.view.ts';
import { sampleAttempt } from '../test/sample-attempt.ts';
import { compareAttempts, linesOf } from './compare.view.ts';

const differences = (left: Attempt, right: Attempt) =>
  compareAttempts(left, right).map(({ title, different }) => [
    title,
    different.map((field) => [field.name, field.left, field.right]),
  ]);

test('only what differs is listed, with the number of fields that are the same', () => {
  const failed = sampleAttempt({
    status_code: 500,
    error: 'http_500',
    error_message: 'The endpoint returned 500.',
    request_headers: { 'content-type': 'application/json', 'webhook-timestamp': '1' },
    response_headers: { server: 'one', 'retry-after': '5' },
    timings: { dns_ms: 1, connect_ms: 2, tls_ms: null, first_byte_ms: 9, total_ms: 12 },
  });
  const succeeded = sampleAttempt({
    n: 2,
    trigger: 'manual',
    request_headers: { 'content-type': 'application/json', 'webhook-timestamp': '2' },
    response_headers: { server: 'one' },
    timings: { dns_ms: null, connect_ms: null, tls_ms: null, first_byte_ms: 9, total_ms: 10 },
    connection_reused: true,
  });
  expect(differences(failed, succeeded)).toEqual([
    [
      'Request',
      [
        ['Trigger', 'Automatic', 'Manual'],
        ['Connection', 'New', 'Reused'],
        ['webhook-timestamp', '1', '2'],
      ],
    ],
    [
      'Timing',
      [
        ['DNS', '1 ms', '–'],
        ['Connect', '2 ms', '–'],
        ['Total', '12 ms', '10 ms'],
      ],
    ],
    [
      'Response',
      [
        ['Outcome', '500', '200'],
        ['Error', 'The endpoint returned 500.', '–'],
        ['retry-after', '5', '–'],
      ],
    ],
  ]);
  expect(compareAttempts(failed, succeeded).map(({ same }) => same)).toEqual([3, 2, 1]);
});

test('an attempt is the same as itself, also without evidence', () => {
  const purged = sampleAttempt({ url: null, remote_address: null, request_headers: null, response_headers: null });
  for (const attempt of [sampleAttempt(), purged])
    expect(compareAttempts(attempt, attempt).flatMap(({ different }) => different)).toEqual([]);
});

test('lines of a body that the other one has too are not marked', () => {
  expect(linesOf('a\nb\nc', 'c\na')).toEqual([
    { text: 'a', isOwn: false },
    { text: 'b', isOwn: true },
    { text: 'c', isOwn: false },
  ]);
});
