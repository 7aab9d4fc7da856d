import type { AttemptRecord, ClaimedDelivery, Target, TargetFlow } from '@finhook/core';
import type { SendResult } from '@finhook/delivery';
import { createLogger } from '@finhook/runtime';
import { createSigner, generateWebhookSecret } from '@finhook/signing';
import { type BodyBudget, createBodyBudget } from '../src/slice/body-budget.ts';
import { createConnectionShares } from '../src/slice/connection-shares.ts';
import { DeliverySlice, firstClaimLimit } from '../src/slice/delivery-slice.ts';
import type { SliceDeps, SliceLimits } from '../src/slice/slice-deps.ts';
import { createAttemptWatch } from '../src/telemetry/attempt-watch.ts';

const secret = generateWebhookSecret();
export const ok: SendResult = { kind: 'response', statusCode: 200, headers: {}, bodySnippet: '', durationMs: 1 };
export const target: Target = {
  endpointId: 'we_1',
  accountId: 'acct_1',
  url: 'http://127.0.0.1/hook',
  secret: { id: 'secret', open: () => secret },
  failing: false,
  lastSuccessAt: null,
  resumedAt: null,
};

const anyLimits: SliceLimits = {
  maxSends: 2_000,
  maxMs: 5_000,
  concurrency: 64,
  startWithinMs: 8_000,
  leaseMarginMs: 10_000,
  timeoutMs: 15_000,
};

interface Setup {
  readonly due: number;
  /** The result of the n-th send, from 1. */
  readonly send?: (n: number) => Promise<SendResult>;
  readonly record?: () => Promise<boolean>;
  readonly claim?: () => Promise<readonly ClaimedDelivery[]>;
  readonly limits?: Partial<SliceLimits>;
  /** What bounds the sends; deliveries are then claimed through the gate. */
  readonly flow?: Partial<TargetFlow>;
  /** Connections to its origin, which it has for itself. */
  readonly connections?: number;
  /** What a claim through the gate finds room for. */
  readonly room?: () => number;
  /** Bytes of each body, which is then not in the claim but loaded. */
  readonly large?: number;
  /** Loads the body of an event. */
  readonly load?: (eventId: string) => Promise<Buffer>;
  readonly bodies?: BodyBudget;
  /** Whether somebody waits for its place. */
  readonly isWanted?: boolean;
}

export function answer(statusCode: number, headers: Record<string, string> = {}): SendResult {
  return { kind: 'response', statusCode, headers, bodySnippet: '', durationMs: 1 };
}

export function failure(errorClass: 'timeout' | 'connect_refused' | 'dns' | 'reset' | 'blocked_address'): SendResult {
  return { kind: 'error', errorClass, message: 'It failed.', durationMs: 1 };
}

/** A slice with an in-memory store of `due` deliveries and a scripted receiver. */
export function setUp({
  due: dueAtFirst,
  send = async () => ok,
  record,
  claim,
  limits,
  flow,
  connections = 128,
  room = () => 1_000,
  large,
  load = async (eventId) => Buffer.from(eventId),
  bodies = createBodyBudget(1),
  isWanted = false,
}: Setup) {
  const now = { ms: 0 };
  let due = dueAtFirst;
  let next = 0;
  let sends = 0;
  let sending = 0;
  const sendingAtStart: number[] = [];
  const sentBodies: string[] = [];
  const recorded: AttemptRecord[] = [];
  const recordedAtOnce: AttemptRecord[] = [];
  const released: string[] = [];
  const take = (limit: number): ClaimedDelivery[] => {
    const count = Math.min(limit, due - next);
    return Array.from({ length: count }, () => {
      const small = delivery(next++);
      return large === undefined ? small : { ...small, body: null, bodyBytes: large };
    });
  };
  const keep = async (attempt: AttemptRecord): Promise<boolean> => {
    recorded.push(attempt);
    return record === undefined ? true : record();
  };
  const store: SliceDeps['store'] = {
    claim: claim ?? (async ({ limit }) => take(limit)),
    claimGated: async ({ limit }) => {
      const claims = take(Math.min(limit, room()));
      return { claims, full: claims.length < limit && next < due };
    },
    loadBody: ({ eventId }) => load(eventId),
    release: async (claims) => void released.push(...claims.map(({ deliveryId }) => deliveryId)),
    record: keep,
    recordAtOnce: (attempt) => {
      recordedAtOnce.push(attempt);
      return keep(attempt);
    },
  };
  const transport: Pick<SliceDeps['transport'], 'send'> = {
    send: async ({ body }) => {
      sends += 1;
      sending += 1;
      sendingAtStart.push(sending);
      sentBodies.push(Buffer.from(body).toString());
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
    bodies,
    places: { isWanted },
    clock: { now: () => new Date('2026-01-15T12:00:00.000Z') },
    monotonicNow: () => now.ms,
    timing: { scale: 1, random: () => 0.5 },
    watch: createAttemptWatch({ logger: createLogger({ level: 'silent', name: 'test' }) }),
    limits: { ...anyLimits, ...limits },
  };
  const bounds = { gated: true, ordered: false, spared: false, open: false, unreachable: 0 };
  const bounded = flow === undefined ? target : { ...target, flow: { ...bounds, ...flow } };
  const address = { url: target.url, signer: createSigner(secret), overlapSigners: [] };
  const slice = new DeliverySlice(deps, bounded, address, createConnectionShares(connections).join(target.url));
  const closing = new AbortController();
  return {
    now,
    recorded,
    /** Those of them that something waited for. */
    recordedAtOnce,
    released,
    close: () => closing.abort(),
    sends: () => sends,
    /** How many requests were under way when each began, itself included. */
    sendingAtStart,
    sentBodies,
    claimed: () => next,
    take,
    /** More comes due. */
    add: (count: number) => void (due += count),
    run: (first = take(firstClaimLimit), full = false, patienceMs?: number) =>
      slice.run({ claims: first, full, claimedAt: 0 }, closing.signal, patienceMs),
    goOn: (patienceMs: number) => slice.goOn(patienceMs),
    finish: () => slice.finish(),
  };
}

export function delivery(index: number): ClaimedDelivery {
  return {
    deliveryId: `dlv_${index}`,
    eventId: `evt_${index}`,
    eventType: 'bank.balance.updated',
    endpointId: 'we_1',
    body: Buffer.from('{}'),
    bodyBytes: 2,
    attempt: 1,
    step: 0,
    trigger: 'automatic',
    scheduled: true,
    leaseToken: 'req_1',
  };
}
