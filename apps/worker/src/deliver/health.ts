import {
  type AttemptRecord,
  applyHealth,
  type Core,
  createMicroBatch,
  type LastFailure,
  recordSuccesses,
  type Success,
} from '@finhook/core';
import { type AttemptOutcome, defaultFlowConfig, healthConfig } from '@finhook/delivery';
import type { LoadedTarget } from './targets.ts';

/** What of the database the health of all endpoints of this worker needs. */
export interface HealthStore {
  apply(seen: LoadedTarget, report: HealthReport): Promise<void>;
  /** A healthy endpoint answered. */
  noteSuccess(success: Success): Promise<void>;
}

interface HealthReport {
  /** In the order in which the results came, of attempts whose lease held. */
  readonly outcomes: readonly AttemptOutcome[];
  readonly lastFailure: LastFailure | undefined;
  /** Requests a second at which they came about. */
  readonly perSecond: number;
}

/** `scale` multiplies the waits between probes, as those between attempts. */
export function createHealthStore(core: Core, scale: number): HealthStore {
  const { firstProbeMs, maxProbeMs } = defaultFlowConfig;
  const config = { ...defaultFlowConfig, firstProbeMs: firstProbeMs * scale, maxProbeMs: maxProbeMs * scale };
  return {
    apply: async (seen, { outcomes, lastFailure, perSecond }) => {
      const { accountId, endpointId } = seen;
      await applyHealth(core, { accountId, endpointId, outcomes, lastFailure, flow: { config, perSecond }, seen });
    },
    noteSuccess: createMicroBatch({
      run: async (successes: readonly Success[]) => {
        const latest = new Map(successes.map((success) => [success.endpointId, success]));
        await recordSuccesses(core, [...latest.values()]);
        return successes.map(() => undefined);
      },
      maxWeight: 500,
      inFlight: 1,
    }),
  };
}

/** That a healthy endpoint answers is noted so often. */
const successEveryMs = 60_000;
/** The rate of requests is measured over this. */
const rateMs = 5_000;

/** Of failures in a row: so many are known of an endpoint that gets no notices. */
const knownFailures = 2;

/** What the results of attempts mean for one endpoint. */
export class Health {
  readonly #store: HealthStore;
  readonly #noticeMs: number;
  #outcomes: AttemptOutcome[] = [];
  #lastFailure: LastFailure | undefined;
  /** The endpoint as the latest of them saw it. */
  #seen: LoadedTarget | undefined;
  /** Attempts in a row without a response. */
  #unreachable = 0;
  /** Failures in a row that are written down, and since when they are as many as `knownFailures`. */
  #failures = 0;
  #knownSince: number | undefined;
  #heldUntil = 0;
  #successNotedAt = 0;
  #rate = { count: 0, since: Number.NEGATIVE_INFINITY, before: 0 };

  /**
   * A failure that makes the endpoint failing is recorded `noticeMs` after the first ones of its streak. Endpoints of one
   * host fail together, and a notice goes to none that is known to fail: the first failures of all are recorded before.
   */
  constructor(store: HealthStore, noticeMs: number) {
    this.#store = store;
    this.#noticeMs = noticeMs;
  }

  get isPending(): boolean {
    return this.#outcomes.length > 0;
  }

  /** Milliseconds until what is pending may be written down. */
  get waitMs(): number {
    return Math.max(0, this.#heldUntil - performance.now());
  }

  loaded({ flow, consecutiveFailures }: LoadedTarget): void {
    this.#unreachable = flow?.unreachable ?? 0;
    this.#written(consecutiveFailures);
  }

  #written(failures: number): void {
    this.#failures = failures;
    if (failures < knownFailures) this.#knownSince = undefined;
    else this.#knownSince ??= performance.now();
  }

  /** A request ended. Returns whether the endpoint wants less or can't be reached, which all workers have to know first. */
  observe({ flow }: AttemptOutcome): boolean {
    this.#countRequest();
    if (flow?.kind === 'success') this.#unreachable = 0;
    if (flow?.kind === 'unreachable') this.#unreachable += 1;
    return flow?.kind === 'slow_down' || this.#unreachable >= defaultFlowConfig.openAfter;
  }

  /** The result of a request to `target` was recorded. */
  record(target: LoadedTarget, outcome: AttemptOutcome, attempt: AttemptRecord): Promise<void> | undefined {
    const failure = outcome.kind === 'success' ? undefined : failureOf(attempt);
    if (failure === undefined && !isDegraded(target) && !this.isPending) return this.#noteSuccess(target, outcome.at);
    this.#seen = target;
    this.#outcomes.push(outcome);
    this.#lastFailure = failure ?? this.#lastFailure;
    return undefined;
  }

  /** Writes down what was recorded so far; the rest is pending for `waitMs`. */
  async apply(): Promise<void> {
    while (this.#seen !== undefined && this.isPending && this.waitMs === 0) {
      const seen = this.#seen;
      const outcomes = this.#outcomes.splice(0, this.#countReady());
      if (outcomes.length === 0) return;
      const report = { outcomes, lastFailure: this.#lastFailure, perSecond: this.#perSecond() };
      if (!this.isPending) this.#lastFailure = undefined;
      try {
        await this.#store.apply(seen, report);
      } catch (error) {
        this.#outcomes.unshift(...outcomes);
        this.#lastFailure ??= report.lastFailure;
        throw error;
      }
      this.#written(outcomes.reduce(failuresAfter, this.#failures));
    }
  }

  /** Those before the one that makes the endpoint failing; all if its time has come, or if other workers must know now. */
  #countReady(): number {
    const outcomes = this.#outcomes;
    if (outcomes.some(({ kind, flow }) => kind === 'gone' || flow?.kind === 'slow_down')) return outcomes.length;
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

function failuresAfter(failures: number, { kind }: AttemptOutcome): number {
  return kind === 'success' ? 0 : failures + 1;
}

function failureOf({ statusCode, errorMessage, claim }: AttemptRecord): LastFailure {
  return { statusCode, message: errorMessage ?? '', eventId: claim.eventId };
}

/** It fails, or asked for fewer requests: it gets few at first, and each result counts. */
export function isDegraded({ consecutiveFailures, flow }: LoadedTarget): boolean {
  return consecutiveFailures > 0 || flow?.degraded === true;
}
