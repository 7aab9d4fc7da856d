import type { EndpointRef } from '@finhook/core';
import type { AttemptDeps } from './attempt.ts';
import type { Claims } from './claims.ts';
import type { HealthStore } from './health.ts';
import type { Leases } from './leases.ts';
import type { Records } from './records.ts';
import type { Slots } from './slots.ts';
import type { Targets } from './targets.ts';
import type { WakeUps } from './wake-ups.ts';

export interface EndpointDeps extends AttemptDeps {
  readonly claims: Claims;
  readonly records: Records;
  readonly leases: Leases;
  readonly targets: Targets;
  readonly health: HealthStore;
  readonly noticeMs: number;
  /** A delivery has a slot from its claim or hand-off until its record. */
  readonly slots: Slots;
  readonly wakeUps: WakeUps;
  readonly onBusy: (endpoint: EndpointRef, isBusy: boolean) => void;
  readonly onError: (error: unknown, endpointId?: string) => void;
}
