// Risk: a replay starves what is new, piles up at an endpoint that is down, or never goes on once it is up again.
import { expect, test } from 'vitest';
import { planStep, type StepSituation, steadyPace } from './plan-step.ts';

const clear: StepSituation = {
  endpointStatus: 'active',
  consecutiveFailures: 0,
  scanned: false,
  open: 0,
  untried: 0,
  freshLate: false,
  alone: true,
  pace: steadyPace,
};

const cases: [string, Partial<StepSituation>, number, string | null][] = [
  ['nothing holds it back: a sip', {}, 8, null],
  ['up to the window', { untried: 27, open: 27 }, 5, null],
  ['a full window', { untried: 32, open: 32 }, 0, null],
  ['one that was overfull', { untried: 40, open: 40 }, 0, null],
  ['too many open', { open: 2_000 }, 0, null],
  ['fresh events are late', { freshLate: true }, 0, 'fresh_events'],
  ['another worker is at a replay to the endpoint', { alone: false }, 0, null],
  ['the endpoint is paused', { endpointStatus: 'paused', freshLate: true }, 0, 'endpoint_paused'],
  ['the endpoint is disabled', { endpointStatus: 'disabled' }, 0, 'endpoint_disabled'],
  ['four failures in a row', { consecutiveFailures: 4 }, 8, null],
  ['a failing endpoint is tried with one', { consecutiveFailures: 5 }, 1, 'endpoint_failing'],
  ['and not with a second', { consecutiveFailures: 5, untried: 1, open: 1 }, 0, 'endpoint_failing'],
  ['nor before fresh ones', { consecutiveFailures: 5, freshLate: true }, 0, 'endpoint_failing'],
  ['all was handed over', { scanned: true, open: 3 }, 0, null],
  ['all was handed over, and fails', { scanned: true, open: 3, consecutiveFailures: 9 }, 0, 'endpoint_failing'],
];

test.each(cases)('%s', (_, situation, room, waitingFor) => {
  expect(planStep({ ...clear, ...situation })).toMatchObject({ room, waitingFor });
});

test('a replay that waits is looked at again within a second, except behind a failing endpoint', () => {
  for (const [name, situation] of cases) {
    const { delayMs, room } = planStep({ ...clear, ...situation });
    expect(delayMs, name).toBeGreaterThan(0);
    expect(delayMs, name).toBeLessThanOrEqual(situation.consecutiveFailures === 5 && room === 1 ? 10_000 : 1_000);
  }
});
