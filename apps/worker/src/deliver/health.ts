import type { AttemptRecord, LastFailure } from '@finhook/core';
import { type AttemptOutcome, defaultFlowConfig, healthConfig } from '@finhook/delivery';
import type { Store } from './store.ts';
import { isDegraded, type LoadedTarget } from './targets.ts';

type HealthStore = Pick<Store, 'applyHealth' | 'noteSuccess'>;

const successEveryMs = 60_000;
const rateMs = 5_000;

/** An endpoint with so many consecutive failures gets no notices about failing endpoints. */
const knownFailures = 2;

/** Collects the outcomes of one endpoint's attempts and writes its health. */
export class Health {
  readonly #store: HealthStore;
  readonly #noticeMs: number;
  #outcomes: AttemptOutcome[] = [];
  #lastFailure: LastFailure | undefined;
  /** The target of the latest outcome. */
  #target: LoadedTarget | undefined;
  /** Consecutive attempts without a response. */
  #unreachable = 0;
  /** Consecutive failures in the database, and since when there are `knownFailures`. */
  #failures = 0;
  #knownSince: number | undefined;
  #heldUntil = 0;
  #successNotedAt = 0;
  #rate = { count: 0, since: Number.NEGATIVE_INFINITY, before: 0 };

  /**
   * The failure that makes the endpoint failing is written `noticeMs` after the first ones: all endpoints of a host fail
   * together, and none of them should get the notice about another one.
   */
  constructor(store: HealthStore, noticeMs: number) {
    this.#store = store;
    this.#noticeMs = noticeMs;
  }

  get isPending(): boolean {
    return this.#outcomes.length > 0;
  }

  /** Milliseconds until the pending outcomes may be written. */
  get waitMs(): number {
    return Math.max(0, this.#heldUntil - performance.now());
  }

  loaded({ unreachable, consecutiveFailures }: LoadedTarget): void {
    this.#unreachable = unreachable;
    this.#written(consecutiveFailures);
  }

  #written(failures: number): void {
    this.#failures = failures;
    if (failures < knownFailures) this.#knownSince = undefined;
    else this.#knownSince ??= performance.now();
  }

  /** Returns true if the endpoint asks for fewer requests or is unreachable: all workers have to know before the next one. */
  observe({ flow }: AttemptOutcome): boolean {
    this.#countRequest();
    if (flow?.kind === 'success') this.#unreachable = 0;
    if (flow?.kind === 'unreachable') this.#unreachable += 1;
    return flow?.kind === 'slow_down' || this.#unreachable >= defaultFlowConfig.openAfter;
  }

  /** Adds the outcome of a recorded attempt. */
  record(target: LoadedTarget, outcome: AttemptOutcome, attempt: AttemptRecord): Promise<void> | undefined {
    const failure = outcome.kind === 'success' ? undefined : failureOf(attempt);
    if (failure === undefined && !isDegraded(target) && !this.isPending) return this.#noteSuccess(target, outcome.at);
    this.#target = target;
    this.#outcomes.push(outcome);
    this.#lastFailure = failure ?? this.#lastFailure;
    if (waitsForNothing(outcome)) this.#heldUntil = 0;
    return undefined;
  }

  /** Writes the pending outcomes that may be written now; the rest waits `waitMs`. */
  async apply(): Promise<void> {
    while (this.#target !== undefined && this.isPending && this.waitMs === 0) {
      const target = this.#target;
      const outcomes = this.#outcomes.splice(0, this.#countReady());
      if (outcomes.length === 0) return;
      const { accountId, endpointId } = target;
      const lastFailure = this.#lastFailure;
      const perSecond = this.#perSecond();
      if (!this.isPending) this.#lastFailure = undefined;
      try {
        await this.#store.applyHealth({ accountId, endpointId, outcomes, lastFailure, perSecond, seen: target });
      } catch (error) {
        this.#outcomes.unshift(...outcomes);
        this.#lastFailure ??= lastFailure;
        throw error;
      }
      this.#written(outcomes.reduce(failuresAfter, this.#failures));
    }
  }

  /** Counts the outcomes before the one that makes the endpoint failing; all if its delay is over or workers must know now. */
  #countReady(): number {
    const outcomes = this.#outcomes;
    if (outcomes.some(waitsForNothing)) return outcomes.length;
    let failures = this.#failures;
    const notice = outcomes.findIndex((outcome) => {
      failures = failuresAfter(failures, outcome);
      return failures === healthConfig.failingThreshold;
    });
    const now = performance.now();
    const noticeAt = (this.#knownSince ?? now) + this.#noticeMs;
    if (notice < 0 || noticeAt <= now) return outcomes.length;
    if (notice === 0) this.#heldUntil = noticeAt;
    return notice;
  }

  #noteSuccess({ accountId, endpointId, lastSuccessAt }: LoadedTarget, at: Date): Promise<void> | undefined {
    const noted = Math.max(lastSuccessAt?.getTime() ?? 0, this.#successNotedAt);
    if (Math.abs(at.getTime() - noted) < successEveryMs) return undefined;
    this.#successNotedAt = at.getTime();
    return this.#store.noteSuccess({ accountId, endpointId, at });
  }

  #countRequest(): void {
    const now = performance.now();
    const elapsed = now - this.#rate.since;
    if (elapsed > rateMs) {
      const before = elapsed > 2 * rateMs ? 0 : (1_000 * this.#rate.count) / elapsed;
      this.#rate = { count: 0, since: now, before };
    }
    this.#rate.count += 1;
  }

  #perSecond(): number {
    const { count, since, before } = this.#rate;
    const elapsed = performance.now() - since;
    return Math.max((1_000 * count) / Math.max(100, elapsed), elapsed < rateMs / 5 ? before : 0);
  }
}

/** True if other workers must know the outcome before they send. */
function waitsForNothing({ kind, flow }: AttemptOutcome): boolean {
  return kind === 'gone' || flow?.kind === 'slow_down';
}

function failuresAfter(failures: number, { kind }: AttemptOutcome): number {
  return kind === 'success' ? 0 : failures + 1;
}

function failureOf({ statusCode, errorMessage, claim }: AttemptRecord): LastFailure {
  return { statusCode, message: errorMessage ?? '', eventId: claim.eventId };
}
