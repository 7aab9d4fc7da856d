// Risk: an endpoint is disabled wrongly, without notice, or never, or its owner is notified repeatedly.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type AttemptOutcome,
  attemptOutcomeOf,
  type EndpointHealth,
  evaluateHealth,
  evaluateHealthAt,
  healthConfig,
  newEndpointHealth,
  willDisableAt,
} from './health.ts';

const hour = 3600e3;
const start = Date.parse('2026-01-01T00:00:00.000Z');
const at = (hours: number) => new Date(start + hours * hour);
const failures = (count: number, from = 0, step = 1): AttemptOutcome[] =>
  Array.from({ length: count }, (_, index) => ({ kind: 'failure', at: at(from + index * step) }));
const kinds = (signals: readonly { kind: string }[]) => signals.map(({ kind }) => kind);

function afterTwentyFailures(): EndpointHealth {
  return evaluateHealth(newEndpointHealth(), failures(20)).state;
}

test('the fifth failed attempt in a row reports the endpoint as failing, once', () => {
  const four = evaluateHealth(newEndpointHealth(), failures(4));
  expect(four.signals).toEqual([]);
  const fifth = evaluateHealth(four.state, failures(1, 4));
  expect(fifth.signals).toEqual([{ kind: 'failing', at: at(4) }]);
  expect(fifth.state).toMatchObject({ consecutiveFailures: 5, firstFailedAt: at(0), lastFailedAt: at(4) });
  expect(evaluateHealth(fifth.state, failures(10, 5)).signals).toEqual([]);
});

test('a 2xx ends the streak, and the next streak is reported again', () => {
  const first = evaluateHealth(newEndpointHealth(), failures(5)).state;
  const healed = evaluateHealth(first, [{ kind: 'success', at: at(6) }]).state;
  expect(healed).toEqual({ status: 'active', consecutiveFailures: 0, lastSuccessAt: at(6) });
  expect(kinds(evaluateHealth(healed, failures(5, 7)).signals)).toEqual(['failing']);
});

test('a 2xx that ends a reported streak is a recovery, once; a streak that was not reported ends in silence', () => {
  const short = evaluateHealth(newEndpointHealth(), failures(4)).state;
  const success: AttemptOutcome = { kind: 'success', at: at(9) };
  expect(evaluateHealth(short, [success]).signals).toEqual([]);
  const reported = evaluateHealth(newEndpointHealth(), failures(7)).state;
  expect(evaluateHealth(reported, [success, { ...success, at: at(10) }]).signals).toEqual([
    { kind: 'recovered', at: at(9), failingSince: at(0), failures: 7 },
  ]);
  const late: AttemptOutcome = { kind: 'success', at: at(-1) };
  expect(evaluateHealth(reported, [late]).signals).toEqual([]);
  expect(evaluateHealth({ ...reported, status: 'disabled' }, [success]).signals).toEqual([]);
});

test('410 disables at once', () => {
  const { state, signals } = evaluateHealth(newEndpointHealth(), [{ kind: 'gone', at: at(1) }]);
  expect(state.status).toBe('disabled');
  expect(signals).toEqual([{ kind: 'disabled', at: at(1), reason: 'gone' }]);
});

test('five days of failure with twenty failures disable, announced 24 h before', () => {
  const state = afterTwentyFailures();
  expect(willDisableAt(state)).toEqual(at(120));
  expect(evaluateHealthAt(state, at(95.9)).signals).toEqual([]);
  const warned = evaluateHealthAt(state, at(96));
  expect(warned.signals).toEqual([{ kind: 'disable_warning', at: at(96), willDisableAt: at(120) }]);
  expect(evaluateHealthAt(warned.state, at(119.9)).signals).toEqual([]);
  const disabled = evaluateHealthAt(warned.state, at(120));
  expect(disabled.signals).toEqual([{ kind: 'disabled', at: at(120), reason: 'failing' }]);
  expect(evaluateHealthAt(disabled.state, at(500)).signals).toEqual([]);
});

test('a warning that comes late still leaves 24 h', () => {
  const warned = evaluateHealthAt(afterTwentyFailures(), at(130));
  expect(warned.signals).toEqual([{ kind: 'disable_warning', at: at(130), willDisableAt: at(154) }]);
  expect(evaluateHealthAt(warned.state, at(153.9)).signals).toEqual([]);
  expect(kinds(evaluateHealthAt(warned.state, at(154)).signals)).toEqual(['disabled']);
});

test('nineteen failures in any time disable nothing', () => {
  const { state } = evaluateHealth(newEndpointHealth(), failures(19, 0, 24));
  expect(willDisableAt(state)).toBeUndefined();
  expect(evaluateHealthAt(state, at(1000))).toEqual({ state, signals: [] });
});

test('attempts alone, without the scheduled job, warn and disable too', () => {
  const { state, signals } = evaluateHealth(newEndpointHealth(), failures(130));
  expect(signals).toEqual([
    { kind: 'failing', at: at(4) },
    { kind: 'disable_warning', at: at(96), willDisableAt: at(120) },
    { kind: 'disabled', at: at(120), reason: 'failing' },
  ]);
  expect(state.status).toBe('disabled');
});

test('a paused endpoint is not disabled by time', () => {
  const paused: EndpointHealth = { ...afterTwentyFailures(), status: 'paused' };
  expect(willDisableAt(paused)).toBeUndefined();
  expect(evaluateHealthAt(paused, at(1000)).signals).toEqual([]);
});

test('outcomes count in the order of their times, whatever order they are recorded in', () => {
  const outcomes: AttemptOutcome[] = [...failures(5, 0), { kind: 'success', at: at(2.5) }];
  for (const recorded of [outcomes, outcomes.toReversed()]) {
    expect(evaluateHealth(newEndpointHealth(), recorded).state).toMatchObject({
      consecutiveFailures: 2,
      firstFailedAt: at(3),
    });
  }
});

test('what happened before a success or before the streak and is recorded late changes nothing', () => {
  const healed = evaluateHealth(newEndpointHealth(), [{ kind: 'success', at: at(10) }]).state;
  expect(evaluateHealth(healed, failures(6, 1)).state).toEqual(healed);
  const failing = evaluateHealth(healed, failures(3, 11)).state;
  expect(evaluateHealth(failing, [{ kind: 'success', at: at(5) }]).state).toEqual(failing);
});

test('410 disables although a later success was noted before it', () => {
  const healed = evaluateHealth(newEndpointHealth(), [{ kind: 'success', at: at(2) }]).state;
  const { state, signals } = evaluateHealth(healed, [{ kind: 'gone', at: at(1) }]);
  expect(state.status).toBe('disabled');
  expect(signals).toEqual([{ kind: 'disabled', at: at(1), reason: 'gone' }]);
});

test('outcomes of a delivery count as success, gone or failure', () => {
  expect(attemptOutcomeOf({ kind: 'delivered' }, at(0)).kind).toBe('success');
  expect(attemptOutcomeOf({ kind: 'gone' }, at(0)).kind).toBe('gone');
  expect(attemptOutcomeOf({ kind: 'out_of_attempts' }, at(0)).kind).toBe('failure');
  expect(attemptOutcomeOf({ kind: 'blocked', reason: '' }, at(0)).kind).toBe('failure');
  expect(attemptOutcomeOf({ kind: 'retry', nextAttemptAt: at(1) }, at(0)).kind).toBe('failure');
});

const sequence = fc.array(
  fc.record({
    kind: fc.constantFrom<AttemptOutcome['kind']>('failure', 'failure', 'failure', 'failure', 'success'),
    gapMinutes: fc.integer({ min: 1, max: 60 }),
  }),
  { maxLength: 80 },
);

function timed(steps: readonly { kind: AttemptOutcome['kind']; gapMinutes: number }[]): AttemptOutcome[] {
  let minutes = 0;
  return steps.map(({ kind, gapMinutes }) => {
    minutes += gapMinutes;
    return { kind, at: new Date(start + minutes * 60_000) };
  });
}

function streakLengths(outcomes: readonly AttemptOutcome[]): number[] {
  return outcomes
    .map(({ kind }) => (kind === 'success' ? 's' : 'f'))
    .join('')
    .split('s')
    .map((run) => run.length);
}

test('any sequence reports failing exactly once for each streak of five or more', () => {
  fc.assert(
    fc.property(sequence, (steps) => {
      const outcomes = timed(steps);
      const { state, signals } = evaluateHealth(newEndpointHealth(), outcomes);
      const lengths = streakLengths(outcomes);
      expect(signals.filter(({ kind }) => kind === 'failing')).toHaveLength(lengths.filter((n) => n >= 5).length);
      expect(state.consecutiveFailures).toBe(lengths.at(-1));
    }),
  );
});

const longFailure = fc.array(
  fc.record({
    kind: fc.oneof(
      { weight: 60, arbitrary: fc.constant<AttemptOutcome['kind']>('failure') },
      { weight: 1, arbitrary: fc.constantFrom<AttemptOutcome['kind']>('success', 'gone') },
    ),
    gapMinutes: fc.integer({ min: 1, max: 600 }),
  }),
  { minLength: 30, maxLength: 120 },
);

test('one batch or many give the same, and time never disables without 24 h of notice', () => {
  let disabledByTime = 0;
  fc.assert(
    fc.property(longFailure, (steps) => {
      const outcomes = timed(steps);
      let state = newEndpointHealth();
      const signals = outcomes.flatMap((outcome) => {
        const step = evaluateHealth(state, [outcome]);
        state = step.state;
        return step.signals;
      });
      expect(evaluateHealth(newEndpointHealth(), outcomes)).toEqual({ state, signals });
      const warnedAt = signals.findLast(({ kind }) => kind === 'disable_warning')?.at.getTime() ?? Number.NaN;
      for (const signal of signals) {
        if (signal.kind !== 'disabled' || signal.reason !== 'failing') continue;
        disabledByTime += 1;
        expect(signal.at.getTime() - warnedAt).toBeGreaterThanOrEqual(healthConfig.disableWarningMs);
      }
    }),
  );
  expect(disabledByTime).toBeGreaterThan(0);
});
