import { setTimeout as sleep } from 'node:timers/promises';
import type { AttemptRecord, ClaimedDelivery, EndpointClaims, EndpointRef } from '@finhook/core';
import { type AttemptOutcome, NotBegunError, Waits } from '@finhook/delivery';
import type { QueueProducer } from '@finhook/queue';
import { type AttemptDeps, type Attempted, attempt } from './attempt.ts';
import {
  type Action,
  type EndpointEvents,
  isBusy,
  isClosing,
  newEndpointState,
  nextAction,
  transition,
} from './endpoint-state.ts';
import { Health } from './health.ts';
import type { Delivery, Leases } from './leases.ts';
import { createSendWindow, type SendWindow } from './send-window.ts';
import type { Slots, Waiter } from './slots.ts';
import type { Store } from './store.ts';
import { isDegraded, isSameReceiver, type LoadedTarget, maxRequests, requestLimit, withSigners } from './targets.ts';

export interface EndpointDeps extends AttemptDeps {
  readonly store: Store;
  readonly leases: Leases;
  readonly noticeMs: number;
  /** A delivery has a slot from its claim or hand-off until its record. */
  readonly slots: Slots;
  readonly producer: Pick<QueueProducer, 'wakeLater'>;
  readonly onBusy: (endpoint: EndpointRef, isBusy: boolean) => void;
  readonly onError: (error: unknown, endpointId?: string) => void;
}

/** Deliveries of an ordered endpoint are claimed together and sent one after the other. */
const orderedClaim = 64;
/** Outcomes that no request depends on are collected for this long. */
const collectMs = 200;
const healthRetryMs = 1_000;
/** Shorter waits end with a timer of this process, because a rate limit may need ten in a second; longer ones with a job. */
const shortWaitMs = 1_000;
/** Longer waits need no job: the reconciler finds the deliveries when they are due. */
const longestWaitMs = 60 * 60 * 1000;

/**
 * An actor: everything that this process does for one endpoint. `endpoint-state.ts` decides, this class has the effects:
 * it loads the endpoint, claims, sends and records deliveries, and stores its health.
 */
export class Endpoint implements Waiter, EndpointRef {
  readonly id: string;
  readonly accountId: string;
  readonly #deps: EndpointDeps;
  #state = newEndpointState;
  #target: LoadedTarget | undefined;
  #window: SendWindow = createSendWindow(maxRequests, false);
  /** Leased and not sent; their number is `ready` of the state. */
  #ready: Delivery[] = [];
  readonly #health: Health;
  #healthTimer: NodeJS.Timeout | undefined;
  #wakeUp: NodeJS.Timeout | undefined;
  readonly #connectionWaits = new Waits();

  constructor(deps: EndpointDeps, { id, accountId }: EndpointRef) {
    this.#deps = deps;
    this.#health = new Health(deps.store, deps.noticeMs);
    this.id = id;
    this.accountId = accountId;
  }

  /** `until`: end of the lease of a new delivery, on the monotonic clock. */
  take(claim: ClaimedDelivery, until: number): void {
    const { slots, leases, store } = this.#deps;
    this.sees(claim.endpointVersion);
    const isAccepted = !isClosing(this.#state) && !this.#isGated && this.#ready.length < 4 * this.#window.size;
    if (isAccepted && slots.acquireSome(this.accountId, 1) === 1) {
      this.#ready.push(leases.hold(claim, until));
      this.#on('handedOver');
    } else this.#track(store.release([claim]), { claimsAgain: true });
  }

  /** Deliveries may be due. */
  notify(event: 'poked' | 'foundDue'): void {
    this.#on(event);
  }

  /** The version of its row. Another one than the loaded one means that it was paused or changed since. */
  sees(version: string): void {
    if (version !== this.#target?.version) this.#on('changed');
  }

  resume(): void {
    this.#on('slotsFreed');
  }

  /** Begins no more requests, and releases deliveries that are unsent or wait for a connection. */
  close(): void {
    this.#connectionWaits.end();
    clearTimeout(this.#wakeUp);
    this.#on('closed');
  }

  get #isGated(): boolean {
    return this.#state.limits?.gated === true;
  }

  #on<Name extends keyof EndpointEvents>(event: Name, ...details: EndpointEvents[Name]): void {
    this.#state = transition(this.#state, event, ...details);
    for (;;) {
      const next = nextAction(this.#state, this.#window.size);
      if (next === undefined) break;
      const [action, begun] = next;
      this.#state = begun;
      this.#perform(action);
    }
    this.#collectHealth();
    this.#deps.onBusy(this, isBusy(this.#state));
  }

  #perform(action: Action): void {
    if (action === 'load') this.#run(this.#load());
    else if (action === 'claim') this.#run(this.#claim());
    else if (action === 'send') this.#sendNext();
    else if (action === 'apply') this.#run(this.#applyHealth());
    else if (action === 'scheduleWakeUp') this.#scheduleWakeUp();
    else this.#releaseReady({ claimsAgain: action === 'releaseAndClaim' });
  }

  #onError(error: unknown): void {
    this.#deps.onError(error, this.id);
  }

  #run(work: Promise<void>): void {
    work.catch((error: unknown) => this.#onError(error));
  }

  /** Keeps the endpoint busy until `work` ends. The reconciler finds what failed work leaves. */
  #track(work: Promise<void>, { claimsAgain }: { readonly claimsAgain: boolean }): void {
    this.#on('taskBegun');
    work.then(
      () => this.#on('taskEnded', { claimsAgain }),
      (error: unknown) => {
        this.#onError(error);
        this.#on('taskEnded', { claimsAgain: false });
      },
    );
  }

  async #load(): Promise<void> {
    let target: LoadedTarget | undefined;
    try {
      const found = await this.#deps.store.loadTarget(this);
      target = found && withSigners(found);
    } catch (error) {
      this.#onError(error);
    }
    const before = this.#target;
    this.#target = target;
    if (target === undefined) return this.#on('loaded', undefined);
    this.#health.loaded(target);
    const limit = requestLimit(target);
    if (before === undefined || limit !== requestLimit(before) || isDegraded(target) !== isDegraded(before)) {
      this.#window = createSendWindow(limit, isDegraded(target));
    }
    this.#on('loaded', target);
  }

  // --- claims

  async #claim(): Promise<void> {
    const { store, slots, leaseMs } = this.#deps;
    const gated = this.#isGated;
    const { epoch } = this.#state;
    const wanted = this.#state.limits?.ordered ? orderedClaim : gated ? this.#window.size : 2 * this.#window.size;
    const limit = slots.acquireSome(this.accountId, wanted, this);
    if (limit === 0) return this.#on('noSlots');
    const until = performance.now() + leaseMs;
    const request = { accountId: this.accountId, endpointId: this.id, limit };
    let claimed: EndpointClaims;
    try {
      claimed = await (gated ? store.claimGated(request) : store.claim(request));
    } catch (error) {
      slots.release(this.accountId, limit);
      this.#onError(error);
      return this.#on('claimFailed');
    }
    const { claims: found, full: isFull, version } = claimed;
    slots.release(this.accountId, limit - found.length);
    for (const one of found) this.#ready.push(this.#deps.leases.hold(one, until));
    // A gated claim that finds nothing has no version.
    const isCurrent = version === this.#target?.version || (gated && version === undefined);
    this.#on('claimed', { found: found.length, mayHaveMore: found.length >= limit, isFull, isCurrent, gated, epoch });
  }

  /** They are due again for all workers; those that can't be released are free when their lease ends. */
  #releaseReady({ claimsAgain }: { readonly claimsAgain: boolean }): void {
    const ready = this.#ready;
    this.#ready = [];
    for (const delivery of ready) this.#deps.leases.end(delivery);
    const claims = ready.filter(({ isLost }) => !isLost).map(({ claim }) => claim);
    this.#track(claims.length > 0 ? this.#deps.store.release(claims) : Promise.resolve(), { claimsAgain });
  }

  #scheduleWakeUp(): void {
    const { store, producer } = this.#deps;
    const { id, accountId } = this;
    const scheduled = store.nextDueInMs({ id, accountId, gated: this.#isGated }).then((ms) => {
      if (ms === null || isClosing(this.#state)) return;
      clearTimeout(this.#wakeUp);
      if (ms > longestWaitMs) return;
      // The reconciler replaces a lost job.
      if (ms > shortWaitMs) producer.wakeLater(this, ms).catch(() => undefined);
      else this.#wakeUp = setTimeout(() => this.#on('woken'), Math.max(1, Math.ceil(ms)));
    });
    this.#track(scheduled, { claimsAgain: false });
  }

  // --- requests

  #sendNext(): void {
    const target = this.#target;
    const delivery = this.#ready.shift();
    if (target === undefined || delivery === undefined) throw new Error('Nothing is ready to be sent.');
    if (this.#deps.leases.isGood(delivery)) return this.#run(this.#send(delivery, target));
    // Others that were leased with it are released too, and claimed again.
    this.#ready.unshift(delivery);
    this.#on('notSent', { claimsAgain: true });
  }

  async #send(delivery: Delivery, target: LoadedTarget): Promise<void> {
    const { claim } = delivery;
    const { epoch } = this.#state;
    const targetNow = () => this.#targetFor(delivery, target, epoch);
    const mayRetryAtOnce = () => !delivery.isImmediateRetry && epoch === this.#state.epoch;
    let attempted: Attempted;
    try {
      attempted = await attempt(this.#deps, target, claim, { targetNow, mayRetryAtOnce, waits: this.#connectionWaits });
    } catch (error) {
      if (!(error instanceof NotBegunError)) this.#onError(error);
      this.#ready.push(delivery);
      return this.#on('notSent', { claimsAgain: targetNow() === undefined });
    }
    if (attempted.record.disposition.kind !== 'again') return this.#record(delivery, target, attempted, epoch);
    this.#on('immediateRetry');
    const isHeld = await this.#write(attempted.record, { isAwaited: true });
    if (isHeld) {
      delivery.claim = { ...claim, attempt: claim.attempt + 1, gated: false };
      delivery.isImmediateRetry = true;
      this.#ready.unshift(delivery);
    } else this.#deps.leases.end(delivery);
    this.#on('immediateRetryRecorded', { isHeld, epoch });
  }

  /**
   * The current target; undefined if the endpoint stopped since `epoch`, is paused or has another URL, or if another
   * worker may hold the delivery.
   */
  #targetFor(delivery: Delivery, before: LoadedTarget, epoch: number): LoadedTarget | undefined {
    const target = epoch === this.#state.epoch ? this.#target : undefined;
    if (target === undefined || !isSameReceiver(before, target)) return undefined;
    return this.#deps.leases.isGood(delivery) ? target : undefined;
  }

  async #record(delivery: Delivery, target: LoadedTarget, attempted: Attempted, epoch: number): Promise<void> {
    const { outcome, record, forEndpoint } = attempted;
    // Frees memory: the record may wait for the database.
    delivery.claim.body = null;
    if (outcome.kind === 'delivered') this.#window.widen(attempted.durationMs);
    else this.#window.narrow();
    const isRetried = record.disposition.kind === 'retry' || record.disposition.kind === 'restore';
    const wantsLess = this.#health.observe(forEndpoint);
    const stops = wantsLess || forEndpoint.kind === 'gone' || (isRetried && target.ordered);
    // Queued first: an error of another action must not lose the result.
    const written = this.#write(record, { isAwaited: stops || this.#isGated || epoch !== this.#state.epoch });
    this.#on('attempted', { stops, isRetried });
    const isHeld = await written;
    this.#deps.leases.end(delivery);
    if (isHeld) this.#count(target, forEndpoint, record);
    const { isPending, waitMs } = this.#health;
    const isUrgent = waitMs === 0 && (stops || target.degraded);
    this.#on('recorded', { isHeld, gated: target.gated, isPending, isUrgent });
  }

  /** Records an attempt; resolves to whether the lease still held. */
  async #write(record: AttemptRecord, { isAwaited }: { readonly isAwaited: boolean }): Promise<boolean> {
    const { store } = this.#deps;
    try {
      return await (isAwaited ? store.recordAtOnce(record) : store.record(record));
    } catch (error) {
      this.#onError(error);
      return false;
    }
  }

  // --- health

  #count(target: LoadedTarget, outcome: AttemptOutcome, record: AttemptRecord): void {
    // Ignores results for a previous URL, or from before it was re-enabled.
    if (this.#target !== undefined && !isSameReceiver(target, this.#target)) return;
    const noting = this.#health.record(target, outcome, record);
    if (noting !== undefined) this.#track(noting, { claimsAgain: false });
  }

  #collectHealth(): void {
    if (this.#state.health === 'collecting') {
      this.#healthTimer ??= setTimeout(() => this.#on('healthCollected'), this.#health.waitMs || collectMs);
    } else {
      clearTimeout(this.#healthTimer);
      this.#healthTimer = undefined;
    }
  }

  async #applyHealth(): Promise<void> {
    for (;;) {
      try {
        await this.#health.apply();
        break;
      } catch (error) {
        this.#onError(error);
        await sleep(healthRetryMs);
      }
    }
    const { isPending, waitMs } = this.#health;
    const health = !isPending ? 'stored' : waitMs > 0 ? 'collecting' : 'wanted';
    this.#on('applied', { health, mayHaveMore: this.#target !== undefined && isDegraded(this.#target) });
  }
}
