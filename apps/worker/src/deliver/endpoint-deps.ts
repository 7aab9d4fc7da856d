import type { EndpointRef } from '@finhook/core';
import type { AttemptDeps } from './attempt.ts';
import type { Claims } from './claims.ts';
import type { HealthStore } from './health.ts';
import type { Leases } from './leases.ts';
import type { Records } from './records.ts';
import type { Slots } from './slots.ts';
import type { Targets } from './targets.ts';
import type { WakeUps } from './wake-ups.ts';

/** What endpoints work with; the same for all of a process. */
export interface EndpointDeps extends AttemptDeps {
  readonly claims: Claims;
  readonly records: Records;
  readonly leases: Leases;
  readonly targets: Targets;
  readonly health: HealthStore;
  /** See `Health`. */
  readonly noticeMs: number;
  /** Deliveries that are held: from their claim or hand-off until their record. */
  readonly slots: Slots;
  readonly wakeUps: WakeUps;
  /** Called when it begins or ends to be busy. */
  readonly onBusy: (endpoint: EndpointRef, isBusy: boolean) => void;
  readonly onError: (error: unknown, endpointId?: string) => void;
}
