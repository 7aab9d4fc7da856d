import type { AttemptRecord, ClaimedDelivery, LastFailure, Target } from '@finhook/core';
import {
  type AttemptOutcome,
  attemptOutcomeOf,
  type DeliveryTarget,
  flowOutcomeOf,
  prepareRequest,
  type RetryTiming,
  type SendResult,
} from '@finhook/delivery';
import type { WatchedAttempt } from '../telemetry/attempt-watch.ts';
import type { ConnectionShare } from './connection-shares.ts';
import { createLull } from './create-lull.ts';
import { judgeAttempt } from './judge-attempt.ts';
import { createSendWindow, type SendWindow } from './send-window.ts';
import type { SliceDeps } from './slice-deps.ts';
import { SliceFlow } from './slice-flow.ts';
import type { SliceReport } from './slice-report.ts';

/** What was claimed before the slice began. */
export interface FirstClaim {
  readonly claims: readonly ClaimedDelivery[];
  /** Whether others of the endpoint, which are under way, left too little room for more. */
  readonly full: boolean;
  /** On the monotonic clock. */
  readonly claimedAt: number;
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
/** How long a slice looks again for what has come due meanwhile, in ms. */
const maxStayMs = 1_000;
/** Sent and not yet recorded: what would be sent twice if this process died. */
const maxUnrecorded = 256;

/**
 * Sends what is due to one endpoint, for a bounded time: claims ahead of the sends, keeps as many requests under way as
 * the endpoint bears, and records each result. Claims that are not sent in the end are given back. Where all that is left
 * are answers that take long, it reports before they are there, so that what comes due meanwhile need not wait for them.
 */
export class DeliverySlice {
  readonly #deps: SliceDeps;
  readonly #target: Target;
  readonly #address: DeliveryTarget;
  readonly #timing: RetryTiming;
  readonly #window: SendWindow;
  readonly #share: ConnectionShare;
  readonly #flow: SliceFlow;
  #endsAt = 0;
  #begunAt = 0;
  #outcomes: AttemptOutcome[] = [];
  /** Of attempts whose lease had ended: another worker made them again, and what it found counts. */
  readonly #stale = new Set<AttemptOutcome>();
  readonly #lull = createLull();
  /** Aborted, and the waits for room with it, when nothing is to begin any more, for now or for good. */
  #stopping = new AbortController();
  #closing: AbortSignal | undefined;
  #held: Held[] = [];
  #sent = 0;
  #sending = 0;
  #recording = 0;
  #releasing = 0;
  #claiming = false;
  #more = true;
  #endedForGood = false;
  #putOff = false;
  #bytes = 0;
  #claimed = 0;
  #lastFailure: LastFailure | undefined;
  #fault: Error | undefined;

  constructor(deps: SliceDeps, target: Target, address: DeliveryTarget, share: ConnectionShare) {
    this.#deps = deps;
    this.#target = target;
    this.#address = address;
    this.#timing =
      target.retrySchedule === undefined ? deps.timing : { ...deps.timing, schedule: target.retrySchedule };
    this.#flow = new SliceFlow(target.flow);
    const spared = target.failing || target.flow?.spared === true;
    this.#window = createSendWindow(this.#flow.windowOf(deps.limits.concurrency), spared);
    this.#share = share;
  }

  /**
   * Works until nothing is due, the bounds are reached or `signal` aborts; resolves when every claim is settled, or when
   * for `patienceMs` nothing was left but answers to wait for.
   */
  run({ claims: first, full, claimedAt }: FirstClaim, signal: AbortSignal, patienceMs?: number): Promise<SliceReport> {
    this.#closing = signal;
    signal.addEventListener('abort', this.#close);
    this.#begin(claimedAt);
    if (signal.aborted) this.#end();
    this.#flow.claimed(first.length, full);
    this.#hold(first, claimedAt, full || first.length >= firstClaimLimit);
    return this.#report(patienceMs);
  }

  /** Sends what has come due, beside what is still under way; reports that, and ends, as `run` does. */
  goOn(patienceMs: number): Promise<SliceReport> {
    this.#begin(this.#deps.monotonicNow());
    return this.#report(patienceMs);
  }

  /** Waits for what is under way, and begins nothing. */
  finish(): Promise<SliceReport> {
    this.#end();
    this.#begin(this.#deps.monotonicNow());
    return this.#report();
  }

  get #stopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  #begin(at: number): void {
    this.#begunAt = at;
    this.#endsAt = this.#deps.monotonicNow() + this.#deps.limits.maxMs;
    this.#sent = 0;
    if (this.#endedForGood) return;
    this.#stopping = new AbortController();
    this.#more = true;
  }

  async #report(patienceMs?: number): Promise<SliceReport> {
    this.#pump();
    await this.#lull.reached(patienceMs);
    const open = this.#sending > 0;
    if (!open) this.#closing?.removeEventListener('abort', this.#close);
    // What comes about from here on is told by the next report.
    const [outcomes, lastFailure, putOff] = [this.#outcomes, this.#lastFailure, this.#putOff];
    [this.#outcomes, this.#lastFailure, this.#putOff] = [[], undefined, false];
    return {
      outcomes: outcomes.filter((outcome) => !this.#stale.has(outcome)),
      lastFailure,
      perSecond: (1_000 * outcomes.length) / Math.max(100, this.#deps.monotonicNow() - this.#begunAt),
      putOff,
      more: this.#more && this.#fault === undefined,
      open,
      mayGoOn: !this.#endedForGood,
      fault: this.#fault,
    };
  }

  readonly #close = (): void => {
    this.#end();
    this.#pump();
  };

  #end(): void {
    this.#stopping.abort();
    this.#endedForGood = true;
  }

  #pump(): void {
    if (this.#isOver()) this.#stopping.abort();
    while (!this.#stopped && this.#mayStart()) {
      const held = this.#held.shift();
      if (held === undefined) break;
      if (held.startBy > this.#deps.monotonicNow()) this.#start(held);
      else this.#release([held]);
    }
    if (this.#stopped && this.#held.length > 0) {
      this.#more = true;
      this.#release(this.#held);
      this.#held = [];
    }
    if (!this.#stopped && !this.#claiming && this.#mayClaim()) this.#claim();
    const busy = this.#claiming || this.#recording > 0 || this.#releasing > 0 || this.#held.length > 0;
    this.#lull.note(busy ? 'busy' : this.#sending > 0 ? 'waiting' : 'nothing');
  }

  #mayClaim(): boolean {
    const { places, monotonicNow } = this.#deps;
    if (this.#more) return this.#flow.mayClaim(this.#busy(), this.#room());
    // What failed is noted first, and a change of the endpoint is seen soon.
    const mayStay = this.#lastFailure === undefined && monotonicNow() - this.#begunAt < maxStayMs;
    return mayStay && this.#flow.mayLookAgain(this.#busy()) && !places.isWanted;
  }

  #mayStart(): boolean {
    return this.#sending < this.#room() && this.#recording < maxUnrecorded && this.#flow.mayStart(this.#busy());
  }

  /** Requests at once: what the endpoint bears, and its share of the connections. */
  #room(): number {
    return Math.min(this.#window.size, this.#share.size);
  }

  #busy() {
    return { sending: this.#sending, recording: this.#recording, held: this.#held.length };
  }

  #isOver(): boolean {
    const { limits, monotonicNow } = this.#deps;
    return this.#sent >= limits.maxSends || monotonicNow() >= this.#endsAt;
  }

  #claim(): void {
    const { limits, monotonicNow, store } = this.#deps;
    const inMemory = Math.ceil(maxHeldBytes / Math.max(1, this.#bytes / Math.max(1, this.#claimed)));
    const left = limits.maxSends - this.#sent - this.#held.length;
    const wanted = this.#flow.claimLimit(this.#room(), this.#window.size);
    const limit = Math.max(1, Math.min(wanted, maxClaimLimit, inMemory, left));
    const claimedAt = monotonicNow();
    this.#claiming = true;
    const request = { endpointId: this.#target.endpointId, limit };
    const claimed = this.#flow.gated
      ? store.claimGated(request)
      : store.claim(request).then((claims) => ({ claims, full: false }));
    claimed.then(
      ({ claims, full }) => {
        this.#claiming = false;
        this.#flow.claimed(claims.length, full);
        this.#hold(claims, claimedAt, full || claims.length >= limit);
        this.#pump();
      },
      (error: unknown) => {
        this.#claiming = false;
        this.#fail(error);
      },
    );
  }

  #hold(claims: readonly ClaimedDelivery[], claimedAt: number, more: boolean): void {
    const startBy = this.#startBy(claimedAt);
    for (const claim of claims) {
      this.#bytes += claim.bodyBytes;
      this.#held.push({ claim, startBy });
    }
    this.#claimed += claims.length;
    this.#more = more;
  }

  #startBy(heldSince: number): number {
    return heldSince + this.#deps.limits.startWithinMs;
  }

  #start(held: Held, isSecond = false): void {
    const { claim } = held;
    this.#sent += 1;
    this.#sending += 1;
    void (claim.body === null ? this.#attemptLarge(held, isSecond) : this.#attempt(claim, claim.body, isSecond));
  }

  /** What waits for room and for its body is no attempt yet: the receiver's time begins with the request. */
  async #attemptLarge(held: Held, isSecond: boolean): Promise<void> {
    const { claim, startBy } = held;
    const { bodies, monotonicNow } = this.#deps;
    const late = AbortSignal.timeout(Math.ceil(Math.max(0, startBy - monotonicNow())));
    using room = await bodies.take(
      this.#target.accountId,
      claim.bodyBytes,
      AbortSignal.any([this.#stopping.signal, late]),
    );
    const body = room && (await this.#load(claim));
    if (body !== undefined && !this.#stopped && startBy > monotonicNow())
      return await this.#attempt(claim, body, isSecond);
    // Nothing may be sent before it where the order counts.
    this.#stopping.abort();
    this.#more = true;
    this.#sending -= 1;
    this.#release([held]);
  }

  #load({ eventId }: ClaimedDelivery): Promise<Buffer | undefined> {
    const { accountId } = this.#target;
    return this.#deps.store.loadBody({ eventId, accountId }).catch((error: unknown) => {
      this.#fail(error);
      return undefined;
    });
  }

  #attempt(claim: ClaimedDelivery, body: Buffer, isSecond: boolean): Promise<void> {
    const at = this.#deps.clock.now();
    const watched = this.#deps.watch.begin(claim);
    return this.#send(claim, body, at, watched).then(
      (result) => this.#settle(claim, result, at, watched, isSecond),
      (error: unknown) => {
        // Our own fault (out of sockets, closing): the endpoint isn't blamed, and the attempt wasn't made.
        watched.abandoned();
        this.#sending -= 1;
        this.#release([{ claim, startBy: 0 }]);
        this.#fail(error);
      },
    );
  }

  async #send(claim: ClaimedDelivery, body: Buffer, at: Date, { headers }: WatchedAttempt): Promise<SendResult> {
    const { deliveryId: id, eventId, eventType, attempt, trigger } = claim;
    const { timeoutMs } = this.#target;
    const request = prepareRequest(
      { id, eventId, eventType, attempt, body, test: trigger === 'test' },
      this.#address,
      at,
    );
    const observed = headers === undefined ? request : { ...request, headers: { ...request.headers, ...headers } };
    return this.#deps.transport.send(observed, timeoutMs === undefined ? {} : { timeoutMs });
  }

  #settle(claim: ClaimedDelivery, result: SendResult, at: Date, watched: WatchedAttempt, isSecond: boolean): void {
    const now = this.#deps.clock.now();
    const again = !isSecond && !this.#stopped && this.#flow.deservesImmediateRetry(claim, result);
    const judged = judgeAttempt(claim, result, { at, now }, this.#timing, again ? this.#secondTry() : undefined);
    const { outcome, record } = judged;
    watched.settled(judged, result);
    if (again) {
      const startBy = this.#startBy(this.#deps.monotonicNow());
      // It keeps its place in the window meanwhile.
      this.#write(record, (held) => {
        this.#sending -= 1;
        if (held) this.#tryAgain({ claim: { ...claim, attempt: claim.attempt + 1 }, startBy });
      });
      return;
    }
    // Its record may wait for the database.
    claim.body = null;
    this.#sending -= 1;
    const requested = claim.trigger !== 'automatic';
    const flow = { ...flowOutcomeOf(result, outcome, at, now), probe: claim.probe === true, requested };
    const attempted = { ...attemptOutcomeOf(outcome, at), flow };
    this.#outcomes.push(attempted);
    if (outcome.kind === 'delivered') this.#window.widen(result.durationMs);
    else this.#window.narrow();
    if (record.disposition.kind === 'retry' || record.disposition.kind === 'restore') this.#putOff = true;
    if (this.#flow.isStop(attempted, record.disposition) || outcome.kind === 'gone') this.#end();
    this.#write(record, (held) => {
      if (!held) this.#stale.add(attempted);
      else if (outcome.kind !== 'delivered') this.#lastFailure = failureOf(record);
    });
    this.#pump();
  }

  #secondTry(): { leaseMs: number } {
    const { limits } = this.#deps;
    return { leaseMs: limits.leaseMarginMs + (this.#target.timeoutMs ?? limits.timeoutMs) };
  }

  #tryAgain(held: Held): void {
    if (!this.#stopped && held.startBy > this.#deps.monotonicNow()) this.#start(held, true);
    else this.#release([held]);
  }

  /** Records an attempt; `next` is told whether the claim still held, once that is known. */
  #write(record: AttemptRecord, next?: (held: boolean) => void): void {
    const { store } = this.#deps;
    const isAwaited = this.#flow.gated || record.disposition.kind === 'again';
    this.#recording += 1;
    (isAwaited ? store.recordAtOnce(record) : store.record(record)).then(
      (held) => {
        this.#recording -= 1;
        // Its endpoint was deleted, or its lease has ended: the same is true of what else is held.
        if (!held) this.#end();
        this.#flow.ended();
        next?.(held);
        this.#pump();
      },
      (error: unknown) => {
        this.#recording -= 1;
        next?.(false);
        this.#fail(error);
      },
    );
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
    this.#end();
    this.#pump();
  }
}

function failureOf({ statusCode, errorMessage, claim }: AttemptRecord): LastFailure {
  return { statusCode, message: errorMessage ?? '', eventId: claim.eventId };
}
