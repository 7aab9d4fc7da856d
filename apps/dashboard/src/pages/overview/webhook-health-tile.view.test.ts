// Risk: webhooks look healthy although deliveries failed permanently, or an unhealthy endpoint is not named.
import { expect, test } from 'vitest';
import { partial } from '../../test/partial.ts';
import { deliveredShare, unhealthyReason } from './webhook-health-tile.view.ts';

type Counts = Parameters<typeof deliveredShare>[0];
const counts = (succeeded: number, failed: number, retrying = 0) =>
  partial<Counts>({ succeeded, failed, retrying, waiting: 3, cancelled: 5 });

test('only all of them are 100 %: the share is rounded down', () => {
  expect(deliveredShare(counts(7, 0))).toBe('100%');
  expect(deliveredShare(counts(99_999, 1))).toBe('99.9%');
  expect(deliveredShare(counts(2, 0, 1))).toBe('66.6%');
  expect(deliveredShare(counts(0, 4))).toBe('0.0%');
});

test('deliveries that were not attempted yet don’t count', () => {
  expect(deliveredShare(counts(0, 0))).toBeUndefined();
});

type Endpoint = Parameters<typeof unhealthyReason>[0];
const endpoint = (fields: Partial<Endpoint>) =>
  partial<Endpoint>({
    status: 'active',
    disabled_reason: null,
    consecutive_failures: 0,
    health: { state: 'closed' },
    ...fields,
  });

test('an endpoint is unhealthy when it fails, is unreachable or was disabled or paused while it failed', () => {
  expect(unhealthyReason(endpoint({}))).toBeUndefined();
  expect(unhealthyReason(endpoint({ status: 'paused' }))).toBeUndefined();
  expect(unhealthyReason(endpoint({ status: 'paused', consecutive_failures: 9 }))).toBe(
    'Paused after 9 failures in a row',
  );
  expect(unhealthyReason(endpoint({ status: 'disabled', disabled_reason: 'manual' }))).toBeUndefined();
  expect(unhealthyReason(endpoint({ consecutive_failures: 1 }))).toBe('1 failure');
  expect(unhealthyReason(endpoint({ consecutive_failures: 3 }))).toBe('3 failures in a row');
  expect(unhealthyReason(partial<Endpoint>({ ...endpoint({}), health: { state: 'open' } }))).toContain('Unreachable');
  expect(unhealthyReason(endpoint({ status: 'disabled', disabled_reason: 'gone' }))).toContain('410 Gone');
  expect(unhealthyReason(endpoint({ status: 'disabled', disabled_reason: 'failing' }))).toContain('failing');
});
