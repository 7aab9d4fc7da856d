// Risk: metrics blame the service for failing endpoints, have too many labels, or report too short durations.
import type { ClaimedDelivery } from '@finhook/core';
import type { SendResult } from '@finhook/delivery';
import { createMetrics } from '@finhook/runtime';
import { expect, test } from 'vitest';
import { claimOf } from '../../test/claim-of.ts';
import { judgeAttempt } from '../deliver/judge-attempt.ts';
import { createDeliveryMetrics } from './delivery-metrics.ts';

const now = new Date('2026-01-15T12:00:00.000Z');
const claim = claimOf({ eventId: 'evt_01kgw3q2m80000000000000000' });

function response(statusCode: number, durationMs = 12): SendResult {
  return { kind: 'response', statusCode, headers: {}, bodySnippet: '', durationMs };
}

async function samplesAfter(
  metric: string,
  made: readonly [Partial<ClaimedDelivery>, SendResult][],
): Promise<string[]> {
  const metrics = createMetrics();
  const deliveries = createDeliveryMetrics(metrics);
  for (const [over, result] of made) {
    deliveries.begun();
    deliveries.attempted(
      judgeAttempt({ ...claim, ...over }, result, { at: now, now }, { scale: 1, random: () => 0.5 }),
    );
  }
  const lines = (await metrics.render()).split('\n');
  return lines.filter((line) => line.startsWith(metric)).map((line) => line.slice(metric.length));
}

const attempts = 'finhook_delivery_attempts_total';

test('the first attempt of a delivery, a retry and the probe of an open breaker have different labels', async () => {
  const found = await samplesAfter(attempts, [
    [{}, response(200)],
    [{ attempt: 2, step: 1 }, response(200)],
    [{ probe: true }, response(200)],
    [{ attempt: 2, step: 1, probe: true }, response(200)],
    [{ trigger: 'test' }, response(200)],
  ]);
  const series = (trigger: string, attempt: string, count: number) =>
    `{trigger="${trigger}",attempt="${attempt}",outcome="delivered",result="2xx"} ${count}`;
  expect(found).toEqual([
    series('automatic', 'first', 1),
    series('automatic', 'retry', 1),
    series('automatic', 'probe', 2),
    series('test', 'first', 1),
  ]);
});

test('a status that HTTP does not know makes no result of its own', async () => {
  const found = await samplesAfter(attempts, [
    [{}, response(404)],
    [{}, response(600)],
    [{}, response(999)],
  ]);
  expect(found.map((line) => /result="(\w+)"} (\d)/.exec(line)?.slice(1))).toEqual([
    ['4xx', '1'],
    ['other', '2'],
  ]);
});

test('a failure whose response had a status counts as its error, not as that status', async () => {
  const late: SendResult = {
    kind: 'error',
    errorClass: 'timeout',
    message: 'late',
    response: { statusCode: 200, headers: {}, bodySnippet: '' },
    durationMs: 1,
  };
  const found = await samplesAfter(attempts, [
    [{}, late],
    [{}, { ...late, errorClass: 'protocol' }],
  ]);
  expect(found.map((line) => /result="(\w+)"}/.exec(line)?.[1])).toEqual(['timeout', 'protocol']);
});

test('attempts that end at the default timeout, and at the longest one, are no shorter in the buckets', async () => {
  const found = await samplesAfter('finhook_delivery_attempt_duration_seconds_bucket', [
    [{}, response(500, 15_001)],
    [{}, response(500, 30_001)],
  ]);
  const counts = found.map((line) => /le="(.+?)",.* (\d)$/.exec(line)?.slice(1));
  expect(counts.slice(-4)).toEqual([
    ['15', '0'],
    ['20', '1'],
    ['30', '1'],
    ['+Inf', '2'],
  ]);
});
