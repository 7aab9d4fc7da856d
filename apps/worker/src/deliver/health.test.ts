// Risk: endpoints of one broken host get notices about each other, or outcomes are lost or applied out of order.
import type { AttemptRecord } from '@finhook/core';
import type { AttemptOutcome } from '@finhook/delivery';
import { expect, onTestFinished, test, vi } from 'vitest';
import { claimOf } from '../../test/claim-of.ts';
import { Health } from './health.ts';
import type { LoadedTarget } from './targets.ts';

const noticeMs = 2_000;
const target: LoadedTarget = {
  endpointId: 'we_1',
  accountId: 'acct_1',
  version: '1',
  url: 'https://example.com/hook',
  secret: () => 'whsec_x',
  previousSecret: null,
  previousSecretUntil: null,
  headers: null,
  privateKey: null,
  consecutiveFailures: 0,
  unreachable: 0,
  gated: false,
  ordered: false,
  maxConcurrency: null,
  degraded: false,
  breakerOpen: false,
  timeoutMs: null,
  retrySchedule: null,
  lastSuccessAt: null,
  resumedAt: null,
  addressAt: () => {
    throw new Error('Nothing is sent.');
  },
};

function setup() {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const applied: string[][] = [];
  const failing = { now: false };
  const store = {
    applyHealth: async ({ outcomes }: { readonly outcomes: readonly AttemptOutcome[] }) => {
      if (failing.now) throw new Error('away');
      applied.push(outcomes.map(({ kind }) => kind));
    },
    noteSuccess: async () => undefined,
  };
  const health = new Health(store, noticeMs);
  health.loaded(target);
  const record = (...kinds: AttemptOutcome['kind'][]) => {
    for (const kind of kinds) void health.record(target, { kind, at: new Date() }, attempt);
  };
  return { health, applied, failing, record };
}

const attempt: AttemptRecord = {
  claim: claimOf(),
  disposition: { kind: 'retry', delayMs: 5_000 },
  at: new Date(),
  durationMs: 12,
  statusCode: 500,
  error: 'http_500',
  errorMessage: 'The endpoint returned 500.',
  responseSnippet: null,
};
const failures = (count: number) => Array.from({ length: count }, () => 'failure' as const);

test('the failure that makes an endpoint failing is stored after the first failures of others on its host', async () => {
  const { health, applied, record } = setup();
  record(...failures(7));
  await health.apply();
  expect([applied, health.isPending, health.waitMs]).toEqual([[failures(4)], true, noticeMs]);
  vi.advanceTimersByTime(noticeMs - 1);
  await health.apply();
  expect([applied.length, health.waitMs]).toEqual([1, 1]);
  vi.advanceTimersByTime(1);
  await health.apply();
  expect([applied, health.isPending]).toEqual([[failures(4), failures(3)], false]);
});

test.each(['gone', 'slow_down'] as const)(
  'what all workers have to know at once waits for nothing: %s',
  async (what) => {
    const { health, applied, record } = setup();
    record(...failures(7));
    const outcome: AttemptOutcome =
      what === 'gone'
        ? { kind: what, at: new Date() }
        : { kind: 'failure', at: new Date(), flow: { kind: what, at: new Date() } };
    void health.record(target, outcome, attempt);
    await health.apply();
    expect([applied.flat().length, health.isPending]).toEqual([8, false]);
  },
);

test('a 429 ends the wait of a notice', async () => {
  const { health, record } = setup();
  record(...failures(7));
  await health.apply();
  void health.record(target, { kind: 'failure', at: new Date(), flow: { kind: 'slow_down', at: new Date() } }, attempt);
  expect(health.waitMs).toBe(0);
  await health.apply();
  expect(health.isPending).toBe(false);
});

test('a success between failures ends their streak, and outcomes that could not be stored are stored later, in order', async () => {
  const { health, applied, failing, record } = setup();
  failing.now = true;
  record(...failures(4), 'success', 'failure');
  await expect(health.apply()).rejects.toThrow('away');
  expect(health.isPending).toBe(true);
  record('failure');
  failing.now = false;
  await health.apply();
  expect(applied).toEqual([[...failures(4), 'success', 'failure', 'failure']]);
});
