import type { ClaimedDelivery, Disposition, TargetFlow } from '@finhook/core';
import { type AttemptOutcome, defaultFlowConfig, deservesImmediateRetry, type SendResult } from '@finhook/delivery';

/** What is claimed ahead for an ordered endpoint: it is sent one after the other, and each of it blocks other workers. */
const orderedClaimLimit = 64;
/** A claim of fewer costs the database markedly more for each. */
const worthwhileClaim = 64;

const unbounded: TargetFlow = { gated: false, ordered: false, spared: false, open: false, unreachable: 0 };

/** What a slice is doing at the moment. */
interface Busy {
  readonly sending: number;
  readonly recording: number;
  readonly held: number;
}

/**
 * How the flow to the endpoint bounds a slice: in what order and how many at once it sends, and when it has to stop so
 * that what it learnt of the endpoint holds for all workers.
 */
export class SliceFlow {
  readonly #flow: TargetFlow;
  #full = false;
  /** Whether the last claim found several, and whether anything was recorded after it. */
  #foundSeveral = false;
  #recorded = false;
  #unreachable: number;

  constructor(flow: TargetFlow = unbounded) {
    this.#flow = flow;
    this.#unreachable = flow.unreachable;
  }

  /** Whether claims go through the endpoint's gate. */
  get gated(): boolean {
    return this.#flow.gated;
  }

  /** Requests at once. */
  windowOf(concurrency: number): number {
    if (this.#flow.ordered) return 1;
    return Math.min(concurrency, this.#flow.maxConcurrency ?? concurrency);
  }

  /** An ordered endpoint gets the next one when what came of the last is written down. */
  mayStart({ sending, recording }: Busy): boolean {
    return !this.#flow.ordered || sending + recording === 0;
  }

  /** What passes a gate is not taken ahead of the sends: it counts for the rate and the concurrency at once. */
  mayClaim(busy: Busy, room: number): boolean {
    if (!this.#flow.gated) return busy.held < 2 * room;
    return busy.held === 0 && !this.#full && this.mayStart(busy);
  }

  /**
   * Where several were due, more have come due by the time that they are recorded: to claim again costs less than to end
   * and to be woken. Not where these answers decide what may be sent next.
   */
  mayLookAgain({ recording, held }: Busy): boolean {
    const isFree = !this.#flow.gated && !this.#flow.spared;
    return isFree && this.#foundSeveral && this.#recorded && recording + held === 0;
  }

  /** What to claim ahead, with `room` for that many requests at once of the `window` that the endpoint has earned. */
  claimLimit(room: number, window: number): number {
    if (this.#flow.ordered) return orderedClaimLimit;
    return this.#flow.gated ? room : Math.min(4 * window, Math.max(worthwhileClaim, 4 * room));
  }

  /** A claim found so many; `full`: the gate let through fewer than were asked for, because others are under way. */
  claimed(count: number, full: boolean): void {
    this.#full = full;
    this.#foundSeveral = count > 1;
    this.#recorded = false;
  }

  /** One that was under way is over, and recorded. */
  ended(): void {
    this.#full = false;
    this.#recorded = true;
  }

  /** Not for a test, which is made once, and not for a probe or its like: the endpoint is known to be away. */
  deservesImmediateRetry(claim: ClaimedDelivery, result: SendResult): boolean {
    return claim.trigger !== 'test' && !this.#flow.open && deservesImmediateRetry(result);
  }

  /** Whether the slice is over: the endpoint wants less, can't be reached, or the head of its queue has to wait. */
  isStop({ flow }: AttemptOutcome, disposition: Disposition): boolean {
    if (flow?.kind === 'success') this.#unreachable = 0;
    if (flow?.kind === 'unreachable') this.#unreachable += 1;
    if (flow?.kind === 'slow_down' || this.#unreachable >= defaultFlowConfig.openAfter) return true;
    return this.#flow.ordered && (disposition.kind === 'retry' || disposition.kind === 'restore');
  }
}
