// Risk: a replay delays fresh events, piles up at an endpoint that is down, or never resumes.
import { expect, test } from 'vitest';
import { planStep, type StepState, steadyPace } from './plan-step.ts';

const clear: StepState = {
  endpointStatus: 'active',
  consecutiveFailures: 0,
  scanned: false,
  enqueued: 1,
  open: 0,
  responses: 0,
  slowestMs: 0,
  atOnce: Number.POSITIVE_INFINITY,
  perSecond: Number.POSITIVE_INFINITY,
  untried: 0,
  freshLate: false,
  alone: true,
  pace: steadyPace,
};

const cases: [string, Partial<StepState>, number, string | null][] = [
  ['nothing blocks it: a batch', {}, 8, null],
  ['up to the window', { untried: 27, open: 27 }, 5, null],
  ['a full window', { untried: 32, open: 32 }, 0, null],
  ['one that was overfull', { untried: 40, open: 40 }, 0, null],
  ['one at a time, of which nothing is known: one', { atOnce: 1 }, 1, null],
  ['and no second one', { atOnce: 1, untried: 1 }, 0, null],
  ['responses promptly: twice as many', { atOnce: 1, responses: 3, slowestMs: 250 }, 6, null],
  ['in half a second: as many', { atOnce: 1, responses: 3, untried: 2, slowestMs: 500 }, 3, null],
  ['later: no more than one again', { atOnce: 1, responses: 3, untried: 2, slowestMs: 501 }, 0, null],
  ['half of the places', { atOnce: 5 }, 3, null],
  ['what comes in a second', { perSecond: 2.5, responses: 4 }, 2, null],
  ['of less than one in a second: one', { perSecond: 0.1 }, 1, null],
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

test.each(cases)('%s', (_, state, room, waitingFor) => {
  expect(planStep({ ...clear, ...state })).toMatchObject({ room, waitingFor });
});

test.each([
  ['its endpoint fails', { consecutiveFailures: 9, untried: 3 }],
  ['fresh events are late', { freshLate: true }],
  ['another replay fills the window', { untried: 32 }],
  ['nothing holds it back', {}],
])('the first delivery of a replay goes at once, past pause and breaker: %s', (_, state) => {
  expect(planStep({ ...clear, ...state, enqueued: 0 })).toEqual({
    room: 1,
    waitingFor: null,
    delayMs: steadyPace.everyMs,
    requested: true,
  });
});

test('a replay that waits is looked at again within a second, except behind a failing endpoint', () => {
  for (const [name, state] of cases) {
    const { delayMs, room } = planStep({ ...clear, ...state });
    expect(delayMs, name).toBeGreaterThan(0);
    expect(delayMs, name).toBeLessThanOrEqual(state.consecutiveFailures === 5 && room === 1 ? 10_000 : 1_000);
  }
});

/** Simulates a minute of a replay to an endpoint with this concurrency and response time. */
function replayTo({ atOnce, responseMs, perSecond }: { atOnce: number; responseMs: number; perSecond: number }) {
  const places = Array.from({ length: Math.min(atOnce, 64) }, () => 0);
  const handed: { at: number; endsAt: number }[] = [];
  let nextAt = 0;
  let ended = 0;
  let longestWaitMs = 0;
  for (let now = 0; now < 60_000; now += steadyPace.everyMs) {
    const isNew = ({ endsAt }: { endsAt: number }) => endsAt <= now && endsAt > now - steadyPace.everyMs;
    const answers = handed.filter(isNew);
    ended += answers.length;
    const state: Partial<StepState> = {
      atOnce,
      perSecond,
      responses: answers.length,
      slowestMs: Math.max(0, ...answers.map(({ at, endsAt }) => endsAt - at)),
      untried: handed.length - ended,
    };
    for (let n = planStep({ ...clear, ...state }).room; n > 0; n--) {
      const place = places.indexOf(Math.min(...places));
      const beginsAt = Math.max(now, nextAt, places[place] ?? 0);
      nextAt = beginsAt + 1_000 / perSecond;
      places[place] = beginsAt + responseMs;
      handed.push({ at: now, endsAt: beginsAt + responseMs });
    }
    longestWaitMs = Math.max(longestWaitMs, Math.max(nextAt, Math.min(...places)) - now);
  }
  return {
    perSecond: ended / 60,
    takes: Math.min(perSecond, (Math.min(atOnce, 64) * 1_000) / responseMs, 320),
    longestWaitMs,
  };
}

const unlimited = Number.POSITIVE_INFINITY;
test.each([
  ...[1, 2, 4, 16].flatMap((atOnce) => [2, 30, 100, 300, 1_000, 5_000].map((ms) => [atOnce, ms, unlimited] as const)),
  ...[0.2, 1, 2, 10, 31, 100].flatMap((perSecond) => [5, 1_000].map((ms) => [unlimited, ms, perSecond] as const)),
])(
  '%d at once, responses in %d ms, %d a second: it gets about half of what there is, and little is before a fresh event',
  (...to) => {
    const [atOnce, responseMs, perSecond] = to;
    const replay = replayTo({ atOnce, responseMs, perSecond });
    expect(replay.perSecond / replay.takes).toBeGreaterThan(0.45);
    const ofRate = (1_000 * (Math.max(1, Math.floor(perSecond)) + 1)) / perSecond;
    const ofAnswers = atOnce === 1 ? Math.max(525, responseMs) : 525;
    expect(replay.longestWaitMs).toBeLessThanOrEqual(perSecond === unlimited ? ofAnswers : ofRate);
  },
);
