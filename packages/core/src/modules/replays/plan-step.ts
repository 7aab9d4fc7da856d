import type { Replay, WebhookEndpoint } from '@finhook/contracts';
import { defaultHealthConfig } from '@finhook/delivery';

/** How fast replays go. */
export interface ReplayPace {
  /** Deliveries handed over in one step, at most 31. */
  sip: number;
  /** Deliveries of replays to one endpoint that may be without an attempt, handed over and not tried. */
  window: number;
  /** Time between two steps of a replay, in ms. */
  everyMs: number;
  /** A fresh delivery that waits so long for a worker is late, and replays to its endpoint wait for it, in ms. */
  lateMs: number;
}

/**
 * At most 320 deliveries a second. The window is half of the requests that an endpoint is sent at once, so that a fresh
 * event finds room beside a replay; little and often, because a fresh event waits behind what was handed over before.
 */
export const steadyPace: ReplayPace = { sip: 8, window: 32, everyMs: 25, lateMs: 250 };

/** Deliveries of one replay that may be open, tried ones too: it does not pile up retries at who refuses everything. */
const maxOpen = 2_000;
const waitMs = 1_000;
const freshMs = 100;
/** A failing endpoint is handed one delivery so often, which ends its streak once it answers again. */
const probeMs = 10_000;

export interface StepSituation {
  endpointStatus: WebhookEndpoint['status'];
  consecutiveFailures: number;
  scanned: boolean;
  open: number;
  untried: number;
  freshLate: boolean;
  alone: boolean;
  pace: ReplayPace;
}

export interface StepPlan {
  /** How many deliveries may be handed over now. */
  room: number;
  waitingFor: Replay['waiting_for'];
  /** When to look again, in ms. */
  delayMs: number;
}

/** Decides what a running replay may hand over now, and why it waits when it may not. */
export function planStep(situation: StepSituation): StepPlan {
  const { pace, untried, open } = situation;
  const wait = (waitingFor: Replay['waiting_for'], delayMs: number): StepPlan => ({ room: 0, waitingFor, delayMs });
  if (situation.endpointStatus !== 'active') return wait(`endpoint_${situation.endpointStatus}`, waitMs);
  if (!situation.alone) return wait(null, pace.everyMs);
  const failing = situation.consecutiveFailures >= defaultHealthConfig.failingThreshold;
  if (situation.scanned) return wait(failing && open > 0 ? 'endpoint_failing' : null, untried > 0 ? freshMs : waitMs);
  if (failing && (untried > 0 || situation.freshLate)) return wait('endpoint_failing', waitMs);
  if (situation.freshLate) return wait('fresh_events', freshMs);
  if (failing) return { room: 1, waitingFor: 'endpoint_failing', delayMs: probeMs };
  if (open >= maxOpen) return wait(null, waitMs);
  return { room: Math.max(0, Math.min(pace.sip, pace.window - untried)), waitingFor: null, delayMs: pace.everyMs };
}
