import type { AttemptRecord, ClaimedDelivery, EndpointRef } from '@finhook/core';
import { type AttemptOutcome, NotBegunError, Waits } from '@finhook/delivery';
import { type Attempted, attempt } from './attempt.ts';
import type { EndpointDeps } from './endpoint-deps.ts';
import { Health, isDegraded } from './health.ts';
import type { Delivery } from './leases.ts';
import { createSendWindow, type SendWindow } from './send-window.ts';
import type { Waiter } from './slots.ts';
import { isSameReceiver, type LoadedTarget, maxRequests, requestLimit } from './targets.ts';

/** What is claimed ahead for an ordered endpoint is sent one after the other. */
const orderedClaim = 64;
/** Health that nobody waits for is applied together. */
const healthMs = 200;
/** It is applied again when the database is back. */
const healthAgainMs = 1_000;

/**
 * An actor: everything that this process does for one endpoint. Hand-offs and claims make deliveries ready; each is sent
 * when the endpoint's window has room, recorded, and counted for its health. A slow response holds a place in the window
 * and nothing else. Where what was learnt of the endpoint has to hold for all workers first, it stops until it does.
 */
export class Endpoint implements Waiter, EndpointRef {
  readonly id: string;
  readonly accountId: string;
  readonly #deps: EndpointDeps;
  #target: LoadedTarget | undefined;
  /** Whether its row has changed since it was loaded. */
  #isStale = false;
  #window: SendWindow = createSendWindow(maxRequests, false);
  /** Leased, and not sent yet. */
  #ready: Delivery[] = [];
  #sending = 0;
  #recording = 0;
  /** Whether the database may have deliveries that are due and free. */
  #mayHaveMore = false;
  /** Whether a limit on its concurrency was reached: the end of a request makes room. */
  #isFull = false;
  /** Whether to ask, when all is done, when the next one is due. */
  #wantsWakeUp = false;
  readonly #health: Health;
  /** Until its health is applied. */
  #isStopped = false;
  readonly #connectionWaits = new Waits();
  #isClaiming = false;
  #isLoading = false;
  /** Loads, health and wake-ups. */
  #waits = 0;
  #healthTimer: NodeJS.Timeout | undefined;
  #isApplying = false;

  constructor(deps: EndpointDeps, { id, accountId }: EndpointRef) {
    this.#deps = deps;
    this.#health = new Health(deps.health, deps.noticeMs);
    this.id = id;
    this.accountId = accountId;
  }

  /** A delivery that the transaction that stored it leased, `until` then on the monotonic clock. */
  take(claim: ClaimedDelivery, until: number): void {
    const { slots, leases, claims } = this.#deps;
    if (claim.endpointVersion !== this.#target?.version) this.#isStale = true;
    const isWelcome =
      !this.#connectionWaits.isEnded && this.#flow?.gated !== true && this.#ready.length < 4 * this.#window.size;
    if (isWelcome && slots.acquireSome(this.accountId, 1) === 1) {
      this.#ready.push(leases.hold(claim, until));
    } else {
      this.#claimAfter(claims.release([claim]));
    }
    this.#pump();
  }

  /** Deliveries may be due. */
  poke(): void {
    this.#mayHaveMore = true;
    this.#pump();
  }

  /** A wake-up came: what is due is claimed, and then the next one is planned. */
  wake(): void {
    this.#wantsWakeUp = true;
    this.poke();
  }

  /** Its row has this version: what is held may be for an endpoint that was paused or changed since. */
  sees(version: string): void {
    if (version === this.#target?.version) return;
    this.#isStale = true;
    this.#pump();
  }

  resume(): void {
    this.#pump();
  }

  /** Begins no more requests, and releases what is ready or waits for a connection. */
  close(): void {
    this.#connectionWaits.end();
    this.#pump();
  }

  get #flow() {
    return this.#target?.flow;
  }

  #pump(): void {
    if (this.#connectionWaits.isEnded) this.#giveBackReady();
    else if (this.#isStale && !this.#isStopped) this.#load();
    else if (!this.#isStopped && !this.#isLoading) {
      this.#sendReady();
      this.#claimMore();
      const isResting = !this.#isClaiming && !this.#mayHaveMore && this.#ready.length + this.#recording === 0;
      if (this.#wantsWakeUp && isResting && this.#target !== undefined) this.#planWakeUp();
    }
    this.#deps.onBusy(this, this.#isBusy);
  }

  get #isBusy(): boolean {
    const count = this.#ready.length + this.#sending + this.#recording + this.#waits;
    return count > 0 || this.#isClaiming || this.#health.isPending;
  }

  /** Counts as busy until it ends; an error ends what the endpoint was about, and the reconciler finds the rest. */
  #track(work: Promise<void>): void {
    this.#waits += 1;
    const ended = () => {
      this.#waits -= 1;
      this.#pump();
    };
    work.catch((error: unknown) => this.#deps.onError(error, this.id)).finally(ended);
  }

  // --- the target

  #load(): void {
    if (this.#isLoading) return;
    this.#isLoading = true;
    // Whatever names another version from here on is newer than what is read.
    this.#isStale = false;
    const loaded = this.#deps.targets.load(this).then(
      (target) => {
        this.#isLoading = false;
        this.#adopt(target);
      },
      (error: unknown) => {
        this.#isLoading = false;
        this.#target = undefined;
        this.#leave();
        throw error;
      },
    );
    this.#track(loaded);
  }

  #adopt(target: LoadedTarget | undefined): void {
    const before = this.#target;
    this.#target = target;
    if (target === undefined) return this.#leave();
    const { flow } = target;
    // They were not let through its limits.
    if (flow?.gated && !before?.flow?.gated) this.#giveBackReady();
    this.#health.loaded(target);
    const limit = requestLimit(target);
    if (before === undefined || limit !== requestLimit(before) || isDegraded(target) !== isDegraded(before)) {
      this.#window = createSendWindow(limit, isDegraded(target));
    }
  }

  // --- claims

  #claimMore(): void {
    if (!this.#mayHaveMore || this.#isClaiming || !this.#mayClaim()) return;
    const wanted = this.#flow?.ordered ? orderedClaim : this.#flow?.gated ? this.#window.size : 2 * this.#window.size;
    const limit = this.#deps.slots.acquireSome(this.accountId, wanted, this);
    if (limit > 0) this.#claim(limit);
  }

  /** What passes a limit is not taken ahead of its request: it counts for the rate and the concurrency at once. */
  #mayClaim(): boolean {
    const ready = this.#ready.length;
    if (!this.#flow?.gated) return ready < this.#window.size;
    const inFlight = this.#sending + this.#recording;
    return ready === 0 && (inFlight === 0 || (!this.#isFull && !this.#flow.ordered));
  }

  #claim(limit: number): void {
    const { claims, leases, slots, leaseMs } = this.#deps;
    const isGated = this.#flow?.gated === true;
    const until = performance.now() + leaseMs;
    this.#isClaiming = true;
    this.#mayHaveMore = false;
    const request = { accountId: this.accountId, endpointId: this.id, limit };
    const claimed = isGated ? claims.claimGated(request) : claims.claim(request);
    const ended = (found: number) => {
      this.#isClaiming = false;
      slots.release(this.accountId, limit - found);
    };
    this.#track(
      claimed.then(
        (found) => {
          ended(found.claims.length);
          for (const one of found.claims) this.#ready.push(leases.hold(one, until));
          // What ended meanwhile made room that the claim did not see.
          this.#isFull = found.full && !this.#mayHaveMore;
          // A closed gate tells no version.
          const isKnown = found.version === this.#target?.version || (isGated && found.version === undefined);
          // A claim for another version may have left what it could not tell of.
          if (!isKnown) this.#isStale = this.#mayHaveMore = true;
          // It has got limits since: these were not let through them.
          if (!isGated && this.#flow?.gated) this.#giveBackReady();
          if (found.claims.length >= limit) this.#mayHaveMore = true;
          else if (isGated) this.#wantsWakeUp = true;
        },
        (error: unknown) => {
          ended(0);
          throw error;
        },
      ),
    );
  }

  #giveBackReady(): void {
    const given = this.#releaseReady();
    if (given !== undefined) this.#claimAfter(given);
  }

  /** They are due again, for whoever claims them; what can't be given back is free when its lease ends. */
  #releaseReady(): Promise<void> | undefined {
    const { claims, leases } = this.#deps;
    const ready = this.#ready;
    this.#ready = [];
    for (const delivery of ready) leases.end(delivery);
    const held = ready.filter(({ isLost }) => !isLost).map(({ claim }) => claim);
    return held.length === 0 ? undefined : claims.release(held);
  }

  #claimAfter(released: Promise<void>): void {
    const due = released.then(() => {
      this.#mayHaveMore = true;
    });
    this.#track(due);
  }

  /** Leaves what is due to the reconciler, which looks again in a second: at once it would fail again. */
  #leave(): void {
    const given = this.#releaseReady();
    this.#mayHaveMore = false;
    if (given !== undefined) this.#track(given);
  }

  #planWakeUp(): void {
    const { claims, wakeUps } = this.#deps;
    this.#wantsWakeUp = false;
    const next = this.#flow?.gated ? claims.nextGatedInMs(this) : claims.nextInMs(this);
    this.#track(
      next.then((ms) => {
        if (ms !== null) wakeUps.plan(this, ms);
      }),
    );
  }

  // --- requests

  #sendReady(): void {
    while (this.#sending < this.#window.size && !this.#isStopped) {
      const [next] = this.#ready;
      // An ordered endpoint gets the next one when what came of the last is written down.
      if (next === undefined || (this.#flow?.ordered && this.#sending + this.#recording > 0)) return;
      // Others that were leased with it go too, and are claimed again.
      if (!this.#deps.leases.isGood(next)) return this.#giveBackReady();
      this.#ready.shift();
      this.#sending += 1;
      void this.#send(next);
    }
  }

  async #send(delivery: Delivery): Promise<void> {
    const { claim } = delivery;
    const target = this.#target;
    const targetNow = () => this.#targetFor(delivery, target);
    const mayRepeat = () => !delivery.isRepeated && !this.#isStopped && !this.#connectionWaits.isEnded;
    let attempted: Attempted;
    try {
      if (target === undefined) throw new Error('The endpoint was not loaded.');
      attempted = await attempt(this.#deps, target, claim, { targetNow, mayRepeat, waits: this.#connectionWaits });
    } catch (error) {
      this.#sending -= 1;
      if (!(error instanceof NotBegunError)) this.#deps.onError(error, this.id);
      this.#ready.push(delivery);
      if (targetNow() === undefined) this.#giveBackReady();
      else this.#leave();
      return this.#pump();
    }
    const { record } = attempted;
    // One that is repeated keeps its place in the window.
    const isHeld = record.disposition.kind === 'again' && (await this.#write(record));
    this.#sending -= 1;
    if (record.disposition.kind !== 'again') return this.#settle(delivery, target, attempted);
    if (isHeld) {
      delivery.claim = { ...claim, attempt: claim.attempt + 1, gated: false };
      delivery.isRepeated = true;
      this.#ready.unshift(delivery);
    } else this.#deps.leases.end(delivery);
    this.#pump();
  }

  /** A pause, another address or another worker's claim counts until the request begins: then there is none. */
  #targetFor(delivery: Delivery, before: LoadedTarget | undefined): LoadedTarget | undefined {
    const target = this.#connectionWaits.isEnded || this.#isStopped ? undefined : this.#target;
    if (before === undefined || target === undefined || !isSameReceiver(before, target)) return undefined;
    return this.#deps.leases.isGood(delivery) ? target : undefined;
  }

  async #settle(delivery: Delivery, target: LoadedTarget, attempted: Attempted): Promise<void> {
    const { outcome, record, forEndpoint } = attempted;
    // Its record may wait for the database.
    delivery.claim.body = null;
    if (outcome.kind === 'delivered') this.#window.widen(attempted.durationMs);
    else this.#window.narrow();
    const isWaiting = record.disposition.kind === 'retry' || record.disposition.kind === 'restore';
    if (isWaiting) this.#wantsWakeUp = true;
    const wantsLess = this.#health.observe(forEndpoint);
    if (wantsLess || forEndpoint.kind === 'gone' || (isWaiting && target.flow?.ordered)) this.#stop();
    const writing = this.#write(record);
    this.#pump();
    const held = await writing;
    this.#deps.leases.end(delivery);
    this.#isFull = false;
    // The gate may let another one through.
    if (target.flow?.gated) this.#mayHaveMore = true;
    // Its endpoint was deleted, or its lease has ended and another worker made it again: what that found counts.
    if (!held) this.#isStale = true;
    else this.#count(target, forEndpoint, record);
    if (this.#isStopped && this.#recording === 0) this.#applyHealth();
    this.#pump();
  }

  /** Records an attempt; resolves to whether the lease still held. */
  async #write(record: AttemptRecord): Promise<boolean> {
    const { records } = this.#deps;
    const isAwaited = this.#flow?.gated === true || this.#isStopped || record.disposition.kind === 'again';
    this.#recording += 1;
    try {
      return await (isAwaited ? records.writeAtOnce(record) : records.write(record));
    } catch (error) {
      this.#deps.onError(error, this.id);
      return false;
    } finally {
      this.#recording -= 1;
    }
  }

  // --- health

  /** Sends nothing until what is known of the endpoint holds for all workers. */
  #stop(): void {
    this.#isStopped = true;
    this.#mayHaveMore = true;
    this.#giveBackReady();
  }

  #count(target: LoadedTarget, outcome: AttemptOutcome, record: AttemptRecord): void {
    // It tells of what was before: of another address, or from before its owner switched it on again.
    if (this.#target !== undefined && !isSameReceiver(target, this.#target)) return;
    const noting = this.#health.record(target, outcome, record);
    if (noting !== undefined) this.#track(noting);
    if (!this.#health.isPending || this.#isStopped) return;
    // What it is sent next depends on it.
    if (target.flow?.degraded) this.#applyHealth();
    else this.#healthTimer ??= setTimeout(() => this.#applyHealth(), healthMs);
  }

  #applyHealth(): void {
    clearTimeout(this.#healthTimer);
    this.#healthTimer = undefined;
    if (this.#isApplying) return;
    const { waitMs } = this.#health;
    if (waitMs > 0) {
      this.#healthTimer = setTimeout(() => this.#applyHealth(), waitMs);
      return;
    }
    this.#isApplying = true;
    const applied = () => {
      this.#isApplying = false;
      this.#isStale = true;
      if (this.#target !== undefined && isDegraded(this.#target)) this.#mayHaveMore = true;
      // The last record in flight applies the health again.
      if (this.#health.isPending) this.#applyHealth();
      else if (this.#recording === 0) this.#isStopped = false;
    };
    const failed = (error: unknown) => {
      this.#isApplying = false;
      this.#healthTimer = setTimeout(() => this.#applyHealth(), healthAgainMs);
      throw error;
    };
    this.#track(this.#health.apply().then(applied, failed));
  }
}
