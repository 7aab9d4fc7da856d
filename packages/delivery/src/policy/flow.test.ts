// Risk: an unreachable endpoint gets too many attempts, a recovered one none, or an overloaded one no fewer.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SendResult } from '../transport/send-result.ts';
import {
  defaultFlowConfig as config,
  type EndpointFlow,
  evaluateFlow,
  type FlowOutcome,
  flowOutcomeOf,
} from './flow.ts';

const start = Date.parse('2026-01-01T00:00:00.000Z');
const at = (seconds: number) => new Date(start + seconds * 1_000);
const atRest: EndpointFlow = { breaker: 'closed', unreachable: 0 };
const apply = (state: EndpointFlow, outcomes: readonly FlowOutcome[], now: Date, perSecond = 40) =>
  evaluateFlow(state, outcomes, { now, perSecond, config });
const unreachable = (count: number, from = 0): FlowOutcome[] =>
  Array.from({ length: count }, (_, i) => ({ kind: 'unreachable', at: at(from + i / 10) }));
const open = () => apply(atRest, unreachable(5), at(1));

describe('the breaker', () => {
  test('opens with the fifth attempt in a row that got no answer', () => {
    const four = apply(atRest, unreachable(4), at(1));
    expect(four).toMatchObject({ breaker: 'closed', unreachable: 4 });
    expect(apply(four, unreachable(1, 2), at(3))).toEqual({
      breaker: 'open',
      unreachable: 5,
      since: at(3),
      nextProbeAt: at(8),
      probeWaitMs: 5_000,
    });
  });

  test('counts in the order of sending, and any response resets the count', () => {
    const ok: FlowOutcome = { kind: 'success', at: at(0.25) };
    const other: FlowOutcome = { kind: 'other', at: at(0.25) };
    for (const answer of [ok, other]) {
      const outcomes = [...unreachable(6), answer];
      for (const order of [outcomes, outcomes.toReversed()]) {
        expect(apply(atRest, order, at(1))).toMatchObject({ breaker: 'closed', unreachable: 3 });
      }
    }
  });

  test('waits twice as long after each probe that fails, at most five minutes', () => {
    let state = open();
    const waits: number[] = [];
    for (let probe = 0; probe < 9; probe++) {
      const now = new Date((state.nextProbeAt?.getTime() ?? 0) + 15_000);
      state = apply(state, [{ kind: probe % 2 === 0 ? 'unreachable' : 'other', at: now, probe: true }], now);
      waits.push(((state.nextProbeAt?.getTime() ?? 0) - now.getTime()) / 1_000);
    }
    expect(waits).toEqual([10, 20, 40, 80, 160, 300, 300, 300, 300]);
    expect(state.since).toEqual(at(1));
  });

  test('does not wait longer for attempts in flight when it opened, or for manual ones', () => {
    const state = open();
    expect(apply(state, unreachable(8, 2), at(3))).toEqual({ ...state, unreachable: 13 });
  });

  test('closes with a success', () => {
    expect(apply(open(), [{ kind: 'success', at: at(9), probe: true }], at(9))).toEqual({
      breaker: 'closed',
      unreachable: 0,
      since: at(9),
    });
  });
});

test.each([
  ['an open breaker', open],
  ['a pause and a pace', () => apply(atRest, [{ kind: 'slow_down', at: at(0), waitMs: 3_600_000 }], at(1))],
])('a success that a person asked for ends %s', (_, inTrouble) => {
  const state = apply(inTrouble(), [{ kind: 'success', at: at(9), requested: true }], at(9));
  expect(state).toMatchObject({ breaker: 'closed', unreachable: 0 });
  expect([state.nextProbeAt, state.holdUntil, state.pacedTo]).toEqual([undefined, undefined, undefined]);
});

describe('slowing down', () => {
  const slow = (seconds: number, waitMs = 0): FlowOutcome => ({ kind: 'slow_down', at: at(seconds), waitMs });

  test('halves the rate once for all answers of a batch, and holds the endpoint as long as one of them asks', () => {
    const state = apply(atRest, [slow(0, 60_000), slow(1), slow(2, 10_000)], at(3), 40);
    expect(state).toMatchObject({ breaker: 'closed', pacedTo: 20, holdUntil: at(63) });
    expect(apply(state, [slow(64)], at(64), 90)).toMatchObject({ pacedTo: 10, holdUntil: undefined });
  });

  test('is at least one in ten seconds, and successes raise the rate until the limit ends', () => {
    let state = atRest;
    for (let i = 0; i < 20; i++) state = apply(state, [slow(i)], at(i), 1);
    expect(state.pacedTo).toBe(0.1);
    let answers = 0;
    while (state.pacedTo !== undefined) {
      const before = state.pacedTo;
      state = apply(state, [{ kind: 'success', at: at(100) }], at(100));
      answers += 1;
      expect(state.pacedTo ?? 101).toBeGreaterThan(before);
    }
    expect(answers).toBeLessThan(1_000);
    expect(state).toEqual({ breaker: 'closed', unreachable: 0 });
  });

  test('never leaves its bounds, whatever comes', () => {
    const kind = fc.constantFrom<FlowOutcome['kind']>('success', 'unreachable', 'slow_down', 'other');
    const steps = fc.array(fc.tuple(kind, fc.integer({ min: 0, max: 86_400_000 }), fc.boolean()), { maxLength: 50 });
    fc.assert(
      fc.property(steps, fc.double({ min: 0, max: 5_000, noNaN: true }), (sequence, perSecond) => {
        let state = atRest;
        for (const [index, [what, waitMs, probe]] of sequence.entries()) {
          state = apply(state, [{ kind: what, at: at(index), waitMs, probe }], at(index), perSecond);
          if (state.pacedTo !== undefined) {
            expect(state.pacedTo).toBeGreaterThanOrEqual(0.1);
            expect(state.pacedTo).toBeLessThanOrEqual(100);
          }
          expect(state.breaker === 'open').toBe(state.nextProbeAt !== undefined);
          if (what === 'success') expect(state).toMatchObject({ breaker: 'closed', unreachable: 0 });
        }
      }),
    );
  });
});

test('what an attempt says of the flow', () => {
  const result = (statusCode: number, headers = {}): SendResult => ({
    kind: 'response',
    statusCode,
    headers,
    bodySnippet: '',
    durationMs: 1,
  });
  const kindOf = (answer: SendResult) => flowOutcomeOf(answer, { kind: 'out_of_attempts' }, at(0), at(1)).kind;
  const failed = (errorClass: 'timeout' | 'tls' | 'protocol' | 'blocked_address'): SendResult => ({
    kind: 'error',
    errorClass,
    message: '',
    durationMs: 1,
  });
  expect([429, 502, 503, 504].map((status) => kindOf(result(status)))).toEqual(
    Array.from({ length: 4 }, () => 'slow_down'),
  );
  expect([500, 404, 410, 302].map((status) => kindOf(result(status)))).toEqual(
    Array.from({ length: 4 }, () => 'other'),
  );
  expect((['timeout', 'tls', 'protocol', 'blocked_address'] as const).map((name) => kindOf(failed(name)))).toEqual([
    'unreachable',
    'unreachable',
    'other',
    'other',
  ]);
  expect(flowOutcomeOf(result(204), { kind: 'delivered' }, at(0), at(1)).kind).toBe('success');
  const date = new Date(start + 31_000).toUTCString();
  for (const value of ['30', date]) {
    expect(flowOutcomeOf(result(502, { 'retry-after': value }), { kind: 'out_of_attempts' }, at(0), at(1)).waitMs).toBe(
      30_000,
    );
  }
});
