// Risk: an endpoint gets more than its limit, nothing at all, or an attempt while it is paused.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decideGate, type GateState } from './gate.ts';

const now = 1_800_000_000_000;
const probeMs = 25_000;
const open: GateState = {
  rateLimit: null,
  pacedTo: null,
  maxConcurrency: null,
  ordered: false,
  breakerOpen: false,
  nextProbeAt: null,
  holdUntil: null,
  probedAt: null,
  tokens: null,
  tokensAt: null,
  held: 0,
};
const decide = (state: Partial<GateState>, at = now) => decideGate({ ...open, ...state }, at, probeMs);

test('without a bound everything passes', () => {
  expect(decide({})).toMatchObject({
    room: Number.POSITIVE_INFINITY,
    automatic: Number.POSITIVE_INFINITY,
    opensInMs: 0,
  });
});

test('a concurrency cap leaves what is not held, and the end of another one opens it', () => {
  expect(decide({ maxConcurrency: 5, held: 3 })).toMatchObject({
    room: 2,
    automatic: 2,
    reason: 'concurrency',
    opensInMs: 0,
  });
  expect(decide({ maxConcurrency: 5, held: 6 })).toMatchObject({ room: 0, automatic: 0, opensInMs: undefined });
  expect(decide({ ordered: true, held: 1 })).toMatchObject({ room: 0, reason: 'concurrency' });
});

describe('the bucket', () => {
  const rateLimit = 10;
  test('begins with one, holds what a second brings and one more, and fills with time', () => {
    expect(decide({ rateLimit })).toMatchObject({ room: 1, reason: 'rate' });
    expect(decide({ rateLimit, tokens: 0, tokensAt: now - 500 })).toMatchObject({ room: 5, tokens: 5 });
    expect(decide({ rateLimit, tokens: 3, tokensAt: now - 60_000 }).room).toBe(11);
    expect(decide({ rateLimit, tokens: 0.4, tokensAt: now })).toMatchObject({ room: 0, opensInMs: 60 });
    expect(decide({ rateLimit, tokens: 0, tokensAt: now + 5_000 }).tokens).toBe(0);
    expect(decide({ rateLimit, tokens: -3, tokensAt: now })).toMatchObject({ room: 0, automatic: 0, opensInMs: 400 });
  });

  test('the slower of limit and pace counts', () => {
    expect(decide({ rateLimit, pacedTo: 2, tokens: 0, tokensAt: now - 1_000 }).tokens).toBe(2);
    expect(decide({ rateLimit, pacedTo: 50, tokens: 0, tokensAt: now - 1_000 }).tokens).toBe(10);
  });

  test('one that a person asks for borrows the next token of the pace, never one of the limit', () => {
    const paced = { pacedTo: 0.1, tokens: 0, tokensAt: now };
    expect(decide(paced)).toMatchObject({ room: 1, automatic: 0, opensInMs: 10_000 });
    expect(decide({ ...paced, tokens: -0.5 }).room).toBe(0);
    expect(decide({ ...paced, rateLimit: 1 / 60 }).room).toBe(0);
  });

  test('however often it is asked, no period allows more than its rate and one second of it', () => {
    fc.assert(
      fc.property(
        fc.record({ requests: fc.integer({ min: 1, max: 500 }), perSeconds: fc.integer({ min: 1, max: 100 }) }),
        fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 1, maxLength: 60 }),
        (limit, gaps) => {
          const taken: { at: number; n: number }[] = [];
          const rate = limit.requests / limit.perSeconds;
          let state: GateState = { ...open, rateLimit: rate };
          let at = now;
          for (const gap of gaps) {
            at += gap;
            const { room, tokens } = decideGate(state, at, probeMs);
            taken.push({ at, n: room });
            state = { ...state, tokens: tokens - room, tokensAt: at };
          }
          for (const [i, from] of taken.entries()) {
            const sum = taken.slice(i).reduce((total, { n }) => total + n, 0);
            expect(sum).toBeLessThanOrEqual(rate + 1 + (rate * (at - from.at)) / 1_000 + 1e-6);
          }
        },
      ),
    );
  });

  test('who comes when it opens finds room', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), fc.integer({ min: 1, max: 1_000 }), (requests, perSeconds) => {
        const state: GateState = { ...open, rateLimit: requests / perSeconds, tokens: 0, tokensAt: now };
        const { opensInMs = 0 } = decideGate(state, now, probeMs);
        expect(decideGate(state, now + opensInMs, probeMs).room).toBeGreaterThanOrEqual(1);
      }),
      { examples: [[5, 498]], numRuns: 1_000 },
    );
  });
});

test('Retry-After allows only manual attempts', () => {
  const held = decide({ holdUntil: now + 60_000 });
  expect(held).toMatchObject({ automatic: 0, reason: 'hold', opensInMs: 60_000 });
  expect(held.room).toBeGreaterThan(0);
  expect(decide({ holdUntil: now }).automatic).toBeGreaterThan(0);
});

describe('an open breaker', () => {
  test('lets nothing through before its probe, and one when its time has come', () => {
    expect(decide({ breakerOpen: true, nextProbeAt: now + 5_000 })).toMatchObject({ automatic: 0, opensInMs: 5_000 });
    expect(decide({ breakerOpen: true, nextProbeAt: now })).toMatchObject({ automatic: 1, probe: true, opensInMs: 0 });
  });

  test('allows no second one while the probe is in flight, unless its worker died', () => {
    const probing = { breakerOpen: true, nextProbeAt: now - 100, probedAt: now - 50 };
    expect(decide({ ...probing, held: 1 }).automatic).toBe(0);
    expect(decide(probing)).toMatchObject({ automatic: 0, opensInMs: 24_950 });
    const older = { ...probing, nextProbeAt: now - 30_000 };
    expect(decide({ ...older, probedAt: now - 24_000 })).toMatchObject({ automatic: 0, opensInMs: 1_000 });
    expect(decide({ ...older, probedAt: now - 25_000 }).automatic).toBe(1);
  });

  test('lets one through when its time has come, whatever became of the one before it', () => {
    expect(decide({ breakerOpen: true, nextProbeAt: now - 100, probedAt: now - 200 }).automatic).toBe(1);
  });

  test('allows manual attempts', () => {
    expect(decide({ breakerOpen: true, nextProbeAt: now + 5_000, maxConcurrency: 2 }).room).toBe(2);
  });
});
