// Risk: an endpoint that is about to be disabled, or receives nothing, looks healthy at a glance.
import { expect, test } from 'vitest';
import {
  connectionStatus,
  endpointsOf,
  healthOf,
  historyOf,
  lastOutcome,
  replayProblem,
  willDisableAt,
  worstFirst,
} from './endpoint-health.tsx';
import { sampleEndpoint } from './test/sample-endpoint.ts';

const success = '2026-03-01T10:00:00.000Z';
const later = '2026-03-01T11:00:00.000Z';
const { health: calm } = sampleEndpoint();

test.each([
  [{}, 'No deliveries yet', 'neutral'],
  [{ last_success_at: success }, 'Healthy', 'good'],
  // It was resumed, which sets its failures in a row to 0.
  [{ last_failure_at: later }, 'Last attempt failed', 'warn'],
  [{ last_success_at: success, last_failure_at: later }, 'Last attempt failed', 'warn'],
  [{ last_success_at: later, last_failure_at: success }, 'Healthy', 'good'],
  [{ last_success_at: success, consecutive_failures: 1 }, 'Degraded', 'warn'],
  [{ consecutive_failures: 5 }, 'Failing', 'bad'],
  [
    { consecutive_failures: 7, health: { ...calm, state: 'open' as const, next_probe_at: later } },
    'Unreachable',
    'bad',
  ],
  [{ last_success_at: success, health: { ...calm, wait_until: later } }, 'Throttled', 'warn'],
  [{ last_success_at: success, health: { ...calm, paced_to: 2.5 } }, 'Throttled', 'warn'],
  [{ blocked_by: { delivery_id: 'dlv_1', since: later, attempts: 2 } }, 'Throttled', 'warn'],
  [{ status: 'paused' as const }, 'Paused', 'warn'],
  [{ status: 'disabled' as const, disabled_reason: 'gone' as const }, 'Disabled', 'bad'],
])('%j is %s', (part, word, tone) => {
  expect(healthOf(sampleEndpoint(part))).toMatchObject({ word, tone });
});

test('endpoints that fail come first, then those that wait, each in the order of before', () => {
  const ids = worstFirst([
    sampleEndpoint({ id: 'we_new' }),
    sampleEndpoint({ id: 'we_good', last_success_at: success }),
    sampleEndpoint({ id: 'we_paused', status: 'paused' }),
    sampleEndpoint({ id: 'we_degraded', consecutive_failures: 1 }),
    sampleEndpoint({ id: 'we_failing', consecutive_failures: 5_670 }),
    sampleEndpoint({ id: 'we_disabled', status: 'disabled' }),
  ]).map(({ id }) => id);
  expect(ids).toEqual(['we_failing', 'we_disabled', 'we_paused', 'we_degraded', 'we_new', 'we_good']);
});

test.each([
  [1, '1 failed attempt.'],
  [5_670, '5,670 failed attempts in a row.'],
])('%i failed attempts are one sentence, with a grouped number', (failures, text) => {
  const { notes } = healthOf(sampleEndpoint({ consecutive_failures: failures }));
  expect(notes.map((note) => note.text)).toEqual([text]);
});

test('notes contain their times', () => {
  const endpoint = sampleEndpoint({
    consecutive_failures: 5,
    health: { ...calm, state: 'open', next_probe_at: later, consecutive_failures: 5 },
  });
  const { notes } = healthOf(endpoint, success);
  expect(notes.map(({ at }) => at)).toEqual([later, success]);
  expect(notes[0]?.text).toContain('No response to the last 5 attempts');
});

test.each([
  [{}, 'No attempts yet'],
  [{ last_success_at: success }, 'Last connection succeeded'],
  // The endpoint responded, if only with a 500.
  [{ last_failure_at: success, consecutive_failures: 1 }, 'Last connection succeeded'],
  [{ last_failure_at: success }, 'Unknown until the next attempt'],
  [{ last_failure_at: success, health: { ...calm, consecutive_failures: 1 } }, 'No response to the last attempt'],
  [{ last_failure_at: success, health: { ...calm, consecutive_failures: 3 } }, 'No response to the last 3 attempts'],
  [{ last_failure_at: success, health: { ...calm, state: 'open' as const } }, 'Unreachable'],
])('the connection of an endpoint with %j: %s', (part, text) => {
  expect(connectionStatus(sampleEndpoint(part))).toBe(text);
});

test.each([
  [{ last_success_at: success }, undefined],
  [{ consecutive_failures: 1 }, /is failing: its last attempt failed/],
  [{ consecutive_failures: 8 }, /is failing: its last 8 attempts failed/],
  [{ status: 'paused' as const, consecutive_failures: 8 }, /is paused/],
])('a replay to an endpoint with %j warns: %s', (part, text) => {
  const problem = replayProblem(sampleEndpoint(part));
  if (text === undefined) expect(problem).toBeUndefined();
  else expect(problem).toMatch(text);
});

test('an endpoint of all companies is listed with each of them', () => {
  const [all, one, other] = [null, 'co_1', 'co_2'].map((company_id) => sampleEndpoint({ company_id }));
  expect(
    endpointsOf(
      [all, one, other].flatMap((endpoint) => endpoint ?? []),
      'co_1',
    ),
  ).toEqual({
    own: [all, one],
    others: [other],
  });
  expect(endpointsOf([sampleEndpoint({ company_id: 'co_2' })], undefined).others).toEqual([]);
});

test('the last outcome is the newer of the two', () => {
  expect(lastOutcome(sampleEndpoint())).toBeUndefined();
  expect(lastOutcome(sampleEndpoint({ last_success_at: success, last_failure_at: later }))).toEqual({
    ok: false,
    at: later,
  });
  expect(lastOutcome(sampleEndpoint({ last_success_at: later, last_failure_at: success }))).toEqual({
    ok: true,
    at: later,
  });
});

const failing = (id: string, at: string, data: object = {}) => ({
  id: `evt_${at}`,
  type: 'webhook_endpoint.failing' as const,
  created_at: at,
  account_id: 'acct_1',
  data: { id, consecutive_failures: 5, will_disable_at: `after ${at}`, ...data },
});

test("the disable time is in the newest failing event of the endpoint's streak", () => {
  const endpoint = sampleEndpoint({ consecutive_failures: 6, last_success_at: success });
  const events = [
    failing('we_1', later),
    failing('we_2', '2026-03-02T00:00:00.000Z'),
    failing('we_1', '2026-03-01T09:00:00.000Z'),
  ];
  expect(willDisableAt(endpoint, events)).toBe(`after ${later}`);
  expect(willDisableAt({ ...endpoint, last_success_at: later }, events)).toBeUndefined();
  expect(willDisableAt({ ...endpoint, consecutive_failures: 0 }, events)).toBeUndefined();
  expect(willDisableAt({ ...endpoint, status: 'paused' }, events)).toBeUndefined();
});

test('the history is of one endpoint, newest first', () => {
  const entries = historyOf('we_1', [
    failing('we_1', success),
    failing('we_2', later),
    failing('we_1', later, { last_error: 'No.' }),
  ]);
  expect(entries.map(({ at, text }) => [at, text])).toEqual([
    [later, 'Failing: 5 failed attempts in a row. No.'],
    [success, 'Failing: 5 failed attempts in a row.'],
  ]);
});
