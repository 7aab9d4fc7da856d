import type { Clock } from '@finhook/core';
import type { RetryTiming, Transport } from '@finhook/delivery';
import type { AccountSlots } from '../account-slots.ts';
import type { DeliveryStore } from '../delivery-store.ts';
import type { AttemptWatch } from '../telemetry/attempt-watch.ts';
import type { BodyBudget } from './body-budget.ts';

/** What a slice works with; the same for all slices of a process. */
export interface SliceDeps {
  readonly store: Pick<DeliveryStore, 'claim' | 'claimGated' | 'loadBody' | 'release' | 'record' | 'recordAtOnce'>;
  readonly transport: Pick<Transport, 'send'>;
  readonly bodies: BodyBudget;
  readonly places: Pick<AccountSlots, 'isWanted'>;
  readonly clock: Clock;
  /** Milliseconds on a clock that never jumps, for leases and the slice's own time. */
  readonly monotonicNow: () => number;
  readonly timing: RetryTiming;
  /** Sees the attempts: log, metrics, traces. */
  readonly watch: AttemptWatch;
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
  /** How long a claim is held from the moment of a second try on, beyond its timeout, in ms. */
  readonly leaseMarginMs: number;
  /** The deadline of a request, unless its endpoint has another, in ms. */
  readonly timeoutMs: number;
}
