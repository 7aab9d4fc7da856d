// Risk: a delivery shows a next attempt that is in the past or never comes, or hides why it waits.
import { expect, test } from 'vitest';
import { toListed } from './delivery-record.ts';

const due = '2026-05-01T10:00:00.000Z';
const later = '2026-05-01T11:00:00.000Z';
const row: Parameters<typeof toListed>[0] = {
  id: 'dlv_1',
  account_id: 'acct_1',
  company_id: null,
  event_id: 'evt_1',
  event_type: 'bank.balance.updated',
  endpoint_id: 'we_1',
  replay_id: null,
  payload: 'full',
  status: 'pending',
  attempt_count: 1,
  next_attempt_at: due,
  last_status_code: 503,
  last_error: 'http_503',
  created_at: due,
  updated_at: due,
  endpoint_status: 'active',
  endpoint_disabled_reason: null,
  endpoint_probe_at: null,
  endpoint_hold_until: null,
  endpoint_head_id: null,
  retry_waits: null,
  last_duration_ms: 12,
  immediate_retry_count: 0,
  endpoint_moved: null,
};

test.each<[string, Partial<typeof row>, string | null, string | null, RegExp | null]>([
  ['nothing holds it back', {}, due, null, /^Attempt 1 failed \(HTTP 503\)\. Next attempt at 2026-05-01T10/],
  ['its endpoint is paused', { endpoint_status: 'paused' }, null, 'endpoint_paused', /is paused/],
  ['its endpoint is disabled', { endpoint_status: 'disabled' }, null, 'endpoint_disabled', /was disabled/],
  ['the breaker is open', { endpoint_probe_at: later }, null, 'endpoint_unreachable', /probe at 2026-05-01T11/],
  ['it is due after the probe', { endpoint_probe_at: due, next_attempt_at: later }, later, null, /Next attempt at/],
  ['the endpoint sent Retry-After', { endpoint_hold_until: later }, later, 'retry_after', /until 2026-05-01T11/],
  ['an earlier event blocks it', { endpoint_head_id: 'dlv_0' }, null, 'earlier_event', /behind dlv_0/],
  ['it blocks the others itself', { endpoint_head_id: 'dlv_1' }, due, null, /Next attempt at/],
  ['it was not tried yet', { next_attempt_at: null, attempt_count: 0 }, null, null, /first attempt/],
  ['nor is it', { next_attempt_at: null, endpoint_probe_at: later }, null, 'endpoint_unreachable', /probe at/],
  ['it arrived', { status: 'succeeded', next_attempt_at: null, endpoint_status: 'paused' }, null, null, null],
  ['it was given up', { status: 'failed', next_attempt_at: null }, null, null, /^The only attempt failed/],
])('a delivery says when it is tried and what it waits for: %s', (_, change, nextAt, waitingFor, reason) => {
  const listed = toListed({ ...row, ...change });
  expect([listed.next_attempt_at, listed.waiting_for]).toEqual([nextAt, waitingFor]);
  if (reason === null) expect(listed.reason).toBeNull();
  else expect(listed.reason).toMatch(reason);
});

test.each<[string, Partial<typeof row>, RegExp]>([
  ['is active', {}, /Retry it, or replay/],
  ['was deleted', { endpoint_status: 'deleted' }, /deleted: redeliver event evt_1 to another endpoint\.$/],
  ['is disabled', { endpoint_status: 'disabled' }, /is disabled: set its status to active, then retry/],
  ['is paused', { endpoint_status: 'paused' }, /is paused: set its status to active, then retry/],
  ['has another URL', { endpoint_moved: true }, /another URL since then: retry/],
  ['is to get a retry', { retry_waits: true }, /A retry was requested/],
  ['is paused and is to get a retry', { retry_waits: true, endpoint_status: 'paused' }, /A retry was requested/],
])('a failed delivery names a way out that works when its endpoint %s', (_, change, way) => {
  expect(toListed({ ...row, status: 'failed', next_attempt_at: null, ...change }).reason).toMatch(way);
});

test('attempts beyond the schedule are explained', () => {
  const failed = { ...row, status: 'failed' as const, next_attempt_at: null, last_error: 'reset', attempt_count: 6 };
  expect(toListed({ ...failed, immediate_retry_count: 3 }).reason).toMatch(
    /^All 6 attempts \(3 of them repeated at once, because the connection failed\) failed \(last: reset\)/,
  );
  expect(toListed(failed).reason).toMatch(/^All 6 attempts failed \(last: reset\)\./);
});
