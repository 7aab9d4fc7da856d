// Risk: a claim is neither recorded nor given back, an endpoint is blamed for our own fault, or a lease is overrun.
import type { AttemptRecord, ClaimedDelivery, Target } from '@finhook/core';
import type { SendResult } from '@finhook/delivery';
import { createLogger } from '@finhook/platform';
import { createSigner, generateWebhookSecret } from '@finhook/signing';
import { describe, expect, test } from 'vitest';
import type { DeliveryStore } from '../delivery-store.ts';
import { DeliverySlice, firstClaimLimit, type SliceDeps, type SliceLimits } from './delivery-slice.ts';

const secret = generateWebhookSecret();
const ok: SendResult = { kind: 'response', statusCode: 200, headers: {}, bodySnippet: '', durationMs: 1 };
const target: Target = {
  endpointId: 'we_1',
  accountId: 'acct_1',
  url: 'http://127.0.0.1/hook',
  secret: () => secret,
  failing: false,
  lastSuccessAt: null,
};

interface Setup {
  readonly due: number;
  /** The result of the n-th send, from 1. */
  readonly send?: (n: number) => Promise<SendResult>;
  readonly record?: () => Promise<boolean>;
  readonly claim?: () => Promise<readonly ClaimedDelivery[]>;
  readonly limits?: Partial<SliceLimits>;
}

/** A slice with an in-memory store of `due` deliveries and a scripted receiver. */
function setUp({ due, send = async () => ok, record, claim, limits }: Setup) {
  const now = { ms: 0 };
  let next = 0;
  let sends = 0;
  let sending = 0;
  const sendingAtStart: number[] = [];
  const recorded: AttemptRecord[] = [];
  const released: string[] = [];
  const take = (limit: number): ClaimedDelivery[] => {
    const count = Math.min(limit, due - next);
    return Array.from({ length: count }, () => delivery(next++));
  };
  const store: Pick<DeliveryStore, 'claim' | 'release' | 'record'> = {
    claim: claim ?? (async ({ limit }) => take(limit)),
    release: async (claims) => void released.push(...claims.map(({ deliveryId }) => deliveryId)),
    record: async (attempt) => {
      recorded.push(attempt);
      return record === undefined ? true : record();
    },
  };
  const transport: Pick<SliceDeps['transport'], 'send'> = {
    send: async () => {
      sends += 1;
      sending += 1;
      sendingAtStart.push(sending);
      try {
        return await send(sends);
      } finally {
        sending -= 1;
      }
    },
  };
  const deps: SliceDeps = {
    store,
    transport,
    clock: { now: () => new Date('2026-01-15T12:00:00.000Z') },
    monotonicNow: () => now.ms,
    timing: { scale: 1, random: () => 0.5 },
    logger: createLogger({ level: 'silent', name: 'test' }),
    limits: { maxSends: 2_000, maxMs: 5_000, concurrency: 64, startWithinMs: 8_000, ...limits },
  };
  const slice = new DeliverySlice(deps, target, createSigner(secret));
  const closing = new AbortController();
  return {
    now,
    recorded,
    released,
    close: () => closing.abort(),
    sends: () => sends,
    /** How many requests were under way when each began, itself included. */
    sendingAtStart,
    claimed: () => next,
    run: (first = take(firstClaimLimit)) => slice.run(first, 0, closing.signal),
  };
}

function delivery(index: number): ClaimedDelivery {
  return {
    deliveryId: `dlv_${index}`,
    eventId: `evt_${index}`,
    eventType: 'bank.balance.updated',
    endpointId: 'we_1',
    body: Buffer.from('{}'),
    attempt: 1,
    step: 0,
    trigger: 'automatic',
    scheduled: true,
    leaseToken: 'req_1',
  };
}

describe('DeliverySlice', () => {
  test('sends and records everything that is due, each once', async () => {
    const slice = setUp({ due: 700 });
    const report = await slice.run();
    expect(new Set(slice.recorded.map(({ claim }) => claim.deliveryId)).size).toBe(700);
    expect(slice.recorded).toHaveLength(700);
    expect(slice.released).toEqual([]);
    expect(report).toMatchObject({ more: false, putOff: false, fault: undefined, lastFailure: undefined });
    expect(report.outcomes).toHaveLength(700);
    expect(Math.max(...slice.sendingAtStart)).toBeLessThanOrEqual(64);
  });

  test('stops after its number of sends and says that there is more', async () => {
    const slice = setUp({ due: 500, limits: { maxSends: 100 } });
    const report = await slice.run();
    expect(slice.sends()).toBe(100);
    expect(slice.recorded.length + slice.released.length).toBe(slice.claimed());
    expect(report.more).toBe(true);
  });

  test('stops after its time, gives back what it holds and says that there is more', async () => {
    const slice = setUp({
      due: 500,
      send: async () => {
        slice.now.ms += 100;
        return ok;
      },
    });
    const report = await slice.run();
    expect(slice.sends()).toBeLessThan(70);
    expect(slice.recorded.length + slice.released.length).toBe(slice.claimed());
    expect(report.more).toBe(true);
  });

  test('a claim whose lease would end before the timeout is given back, not sent', async () => {
    const slice = setUp({ due: 5, limits: { maxMs: 60_000 } });
    slice.now.ms = 8_001;
    await slice.run();
    expect(slice.sends()).toBe(0);
    expect(slice.released).toHaveLength(5);
  });

  test('our own fault gives the claim back, blames nobody and ends the slice', async () => {
    const slice = setUp({
      due: 100,
      send: async (n) => {
        if (n === 3) throw new Error('out of sockets');
        return ok;
      },
    });
    const report = await slice.run();
    expect(report.fault).toEqual(new Error('out of sockets'));
    expect(report.more).toBe(false);
    expect(report.lastFailure).toBeUndefined();
    expect(slice.released).toContain('dlv_2');
    expect(slice.recorded.length + slice.released.length).toBe(slice.claimed());
  });

  test.each([
    ['record', { record: () => Promise.reject(new Error('away')) }],
    ['claim', { claim: () => Promise.reject(new Error('away')) }],
  ])('a failing %s ends the slice with its error and leaves nothing under way', async (_what, failing) => {
    const slice = setUp({ due: 100, ...failing });
    expect((await slice.run()).fault).toEqual(new Error('away'));
    expect(slice.recorded.length + slice.released.length).toBe(slice.claimed());
  });

  test('410 ends the slice: what was under way is recorded, the rest given back', async () => {
    const gone: SendResult = { kind: 'response', statusCode: 410, headers: {}, bodySnippet: '', durationMs: 1 };
    const slice = setUp({ due: 100, send: async () => gone });
    const report = await slice.run();
    expect(slice.sends()).toBe(8);
    expect(report.outcomes.at(0)?.kind).toBe('gone');
    expect(slice.recorded.length + slice.released.length).toBe(slice.claimed());
  });

  test('hanging requests narrow the window to two', async () => {
    const timeout: SendResult = { kind: 'error', errorClass: 'timeout', message: 'Too slow.', durationMs: 15_000 };
    const slice = setUp({ due: 100, limits: { maxSends: 30 }, send: async () => timeout });
    const report = await slice.run();
    expect(slice.sendingAtStart.slice(0, 8)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(Math.max(...slice.sendingAtStart.slice(8))).toBe(2);
    expect(report).toMatchObject({ putOff: true, lastFailure: { statusCode: null, message: 'Too slow.' } });
    expect(slice.recorded.every(({ disposition }) => disposition.kind === 'retry')).toBe(true);
  });

  test('closing waits for what is under way and gives the rest back', async () => {
    const gate = Promise.withResolvers<SendResult>();
    const slice = setUp({ due: 100, send: () => gate.promise });
    const running = slice.run();
    slice.close();
    gate.resolve(ok);
    const report = await running;
    expect(slice.sends()).toBe(8);
    expect(slice.recorded).toHaveLength(8);
    expect(slice.recorded.length + slice.released.length).toBe(slice.claimed());
    expect(report.more).toBe(true);
  });
});
