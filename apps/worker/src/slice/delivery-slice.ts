import type { ClaimedDelivery, Clock, LastFailure, Target } from '@finhook/core';
import {
  type AttemptOutcome,
  attemptOutcomeOf,
  prepareRequest,
  type RetryTiming,
  type SendResult,
  type Transport,
} from '@finhook/delivery';
import type { Logger } from '@finhook/platform';
import type { Signer } from '@finhook/signing';
import type { DeliveryStore } from '../delivery-store.ts';
import { judgeAttempt } from './judge-attempt.ts';
import { logAttempt } from './log-attempt.ts';
import { createSendWindow, type SendWindow } from './send-window.ts';

/** What a slice works with; the same for all slices of a process. */
export interface SliceDeps {
  readonly store: Pick<DeliveryStore, 'claim' | 'release' | 'record'>;
  readonly transport: Pick<Transport, 'send'>;
  readonly clock: Clock;
  /** Milliseconds on a clock that never jumps, for leases and the slice's own time. */
  readonly monotonicNow: () => number;
  readonly timing: RetryTiming;
  readonly logger: Logger;
  readonly limits: SliceLimits;
}

export interface SliceLimits {
  /** Sends that a slice begins at most, and how long it begins any, in ms. */
  readonly maxSends: number;
  readonly maxMs: number;
  /** Sends at once to the endpoint. */
  readonly concurrency: number;
  /** How long after its claim a send may still begin, so that its timeout ends within the lease, in ms. */
  readonly startWithinMs: number;
}

export interface SliceReport {
  /** In the order in which the results came. */
  readonly outcomes: readonly AttemptOutcome[];
  readonly lastFailure: LastFailure | undefined;
  /** Whether something was put off to a later moment. */
  readonly putOff: boolean;
  /** Whether the endpoint may have more that is due now. */
  readonly more: boolean;
  /** Why the slice ended early, if it is not the endpoint's doing. */
  readonly fault: Error | undefined;
}

interface Held {
  readonly claim: ClaimedDelivery;
  /** On the monotonic clock. */
  readonly startBy: number;
}

export const firstClaimLimit = 16;
const maxClaimLimit = 256;
/** Claimed bodies of one slice in memory, about. */
const maxHeldBytes = 2 * 1024 * 1024;
/** Sent and not yet recorded: what would be sent twice if this process died. */
const maxUnrecorded = 256;

/**
 * Sends what is due to one endpoint, for a bounded time: claims ahead of the sends, keeps as many requests under way as
 * the endpoint bears, and records each result. Claims that are not sent in the end are given back.
 */
export class DeliverySlice {
  readonly #deps: SliceDeps;
  readonly #target: Target;
  readonly #signer: Signer;
  readonly #window: SendWindow;
  readonly #endsAt: number;
  readonly #outcomes: AttemptOutcome[] = [];
  readonly #done = Promise.withResolvers<void>();
  #held: Held[] = [];
  #sent = 0;
  #sending = 0;
  #recording = 0;
  #releasing = 0;
  #claiming = false;
  #more = true;
  #stopped = false;
  #putOff = false;
  #bytes = 0;
  #claimed = 0;
  #lastFailure: LastFailure | undefined;
  #fault: Error | undefined;

  constructor(deps: SliceDeps, target: Target, signer: Signer) {
    this.#deps = deps;
    this.#target = target;
    this.#signer = signer;
    this.#window = createSendWindow(deps.limits.concurrency, target.failing);
    this.#endsAt = deps.monotonicNow() + deps.limits.maxMs;
  }

  /** Works until nothing is due, the bounds are reached or `signal` aborts; resolves when every claim is settled. */
  async run(first: readonly ClaimedDelivery[], claimedAt: number, signal: AbortSignal): Promise<SliceReport> {
    const stop = () => {
      this.#stopped = true;
      this.#pump();
    };
    signal.addEventListener('abort', stop);
    if (signal.aborted) this.#stopped = true;
    this.#hold(first, claimedAt, firstClaimLimit);
    this.#pump();
    await this.#done.promise;
    signal.removeEventListener('abort', stop);
    return {
      outcomes: this.#outcomes,
      lastFailure: this.#lastFailure,
      putOff: this.#putOff,
      more: this.#more && this.#fault === undefined,
      fault: this.#fault,
    };
  }

  #pump(): void {
    if (this.#isOver()) this.#stopped = true;
    while (!this.#stopped && this.#sending < this.#window.size && this.#recording < maxUnrecorded) {
      const held = this.#held.shift();
      if (held === undefined) break;
      if (held.startBy > this.#deps.monotonicNow()) this.#start(held.claim);
      else this.#release([held]);
    }
    if (this.#stopped && this.#held.length > 0) {
      this.#more = true;
      this.#release(this.#held);
      this.#held = [];
    }
    if (!this.#stopped && this.#more && !this.#claiming && this.#held.length < 2 * this.#window.size) this.#claim();
    const busy = this.#claiming || this.#sending > 0 || this.#recording > 0 || this.#releasing > 0;
    if (!busy && this.#held.length === 0) this.#done.resolve();
  }

  #isOver(): boolean {
    const { limits, monotonicNow } = this.#deps;
    return this.#sent >= limits.maxSends || monotonicNow() >= this.#endsAt;
  }

  #claim(): void {
    const { limits, monotonicNow, store } = this.#deps;
    const room = Math.ceil(maxHeldBytes / Math.max(1, this.#bytes / Math.max(1, this.#claimed)));
    const left = limits.maxSends - this.#sent - this.#held.length;
    const limit = Math.max(1, Math.min(4 * this.#window.size, maxClaimLimit, room, left));
    const claimedAt = monotonicNow();
    this.#claiming = true;
    store.claim({ endpointId: this.#target.endpointId, limit }).then(
      (claims) => {
        this.#claiming = false;
        this.#hold(claims, claimedAt, limit);
        this.#pump();
      },
      (error: unknown) => {
        this.#claiming = false;
        this.#fail(error);
      },
    );
  }

  #hold(claims: readonly ClaimedDelivery[], claimedAt: number, limit: number): void {
    const startBy = claimedAt + this.#deps.limits.startWithinMs;
    for (const claim of claims) {
      this.#bytes += claim.body.byteLength;
      this.#held.push({ claim, startBy });
    }
    this.#claimed += claims.length;
    this.#more = claims.length >= limit;
  }

  #start(claim: ClaimedDelivery): void {
    const at = this.#deps.clock.now();
    this.#sent += 1;
    this.#sending += 1;
    this.#send(claim, at).then(
      (result) => this.#settle(claim, result, at),
      (error: unknown) => {
        // Our own fault (out of sockets, closing): the endpoint isn't blamed, and the attempt wasn't made.
        this.#sending -= 1;
        this.#release([{ claim, startBy: 0 }]);
        this.#fail(error);
      },
    );
  }

  async #send(claim: ClaimedDelivery, at: Date): Promise<SendResult> {
    const { deliveryId: id, eventId, eventType, attempt, body, trigger } = claim;
    const target = { url: this.#target.url, signer: this.#signer, overlapSigners: [] };
    const request = prepareRequest({ id, eventId, eventType, attempt, body, test: trigger === 'test' }, target, at);
    return this.#deps.transport.send(request);
  }

  #settle(claim: ClaimedDelivery, result: SendResult, at: Date): void {
    const { clock, logger, store, timing } = this.#deps;
    this.#sending -= 1;
    const judged = judgeAttempt(claim, result, { at, now: clock.now() }, timing);
    const { outcome, record } = judged;
    logAttempt(logger, judged);
    this.#outcomes.push(attemptOutcomeOf(outcome, at));
    if (outcome.kind === 'delivered') this.#window.widen(result.durationMs);
    else {
      this.#window.narrow();
      this.#lastFailure = { statusCode: record.statusCode, message: record.errorMessage ?? '', eventId: claim.eventId };
    }
    if (record.disposition.kind === 'retry' || record.disposition.kind === 'restore') this.#putOff = true;
    if (outcome.kind === 'gone') this.#stopped = true;
    this.#recording += 1;
    store.record(record).then(
      () => {
        this.#recording -= 1;
        this.#pump();
      },
      (error: unknown) => {
        this.#recording -= 1;
        this.#fail(error);
      },
    );
    this.#pump();
  }

  #release(held: readonly Held[]): void {
    this.#releasing += 1;
    const ended = () => {
      this.#releasing -= 1;
      this.#pump();
    };
    // What can't be given back is free again when its lease ends.
    this.#deps.store.release(held.map(({ claim }) => claim)).then(ended, ended);
  }

  #fail(error: unknown): void {
    this.#fault ??= error instanceof Error ? error : new Error(String(error));
    this.#stopped = true;
    this.#pump();
  }
}
