import type { Replay, WebhookEndpoint } from '@finhook/contracts';
import { defaultHealthConfig } from '@finhook/delivery';

/** How fast replays go. */
export interface ReplayPace {
  /** Deliveries handed over in one step, at most 31. */
  sip: number;
  /** Deliveries of replays to one endpoint that may be without an attempt, handed over and not tried, at most. */
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

/** What was handed over and is answered within this, in ms, is followed by twice as much; within twice this, by as much. */
const promptMs = 250;
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
  /** Deliveries that this replay has handed over. */
  enqueued: number;
  open: number;
  /** Deliveries of this replay that have ended with their first attempt since the last step, and after how long at most. */
  answered: number;
  slowestMs: number;
  /** Requests that the endpoint is sent at once, and in a second; Infinity without a bound. */
  atOnce: number;
  perSecond: number;
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
  /** Whether what is handed over passes the endpoint's pause, breaker and pace, as a retry that a person asked for. */
  requested?: boolean;
}

/** Decides what a running replay may hand over now, and why it waits when it may not. */
export function planStep(situation: StepSituation): StepPlan {
  const { pace, untried, open } = situation;
  const wait = (waitingFor: Replay['waiting_for'], delayMs: number): StepPlan => ({ room: 0, waitingFor, delayMs });
  if (situation.endpointStatus !== 'active') return wait(`endpoint_${situation.endpointStatus}`, waitMs);
  if (!situation.alone) return wait(null, pace.everyMs);
  const failing = situation.consecutiveFailures >= defaultHealthConfig.failingThreshold;
  if (situation.scanned) return wait(failing && open > 0 ? 'endpoint_failing' : null, untried > 0 ? freshMs : waitMs);
  // Its first delivery shows whether the endpoint is well: a person asked for it and waits for no retry, pause or probe.
  if (situation.enqueued === 0) return { room: 1, waitingFor: null, delayMs: pace.everyMs, requested: true };
  if (failing && (untried > 0 || situation.freshLate)) return wait('endpoint_failing', waitMs);
  if (situation.freshLate) return wait('fresh_events', freshMs);
  if (failing) return { room: 1, waitingFor: 'endpoint_failing', delayMs: probeMs };
  if (open >= maxOpen) return wait(null, waitMs);
  const room = Math.max(0, Math.min(pace.sip, windowOf(situation) - untried));
  return { room, waitingFor: null, delayMs: pace.everyMs };
}

/**
 * How many may be untried: what comes in a second by the rate, and of requests at once the half, or one; more as far as what
 * was handed over is answered soon, which shows how fast the endpoint is.
 */
function windowOf({ pace, atOnce, perSecond, untried, answered, slowestMs }: StepSituation): number {
  const most = Math.max(1, Math.min(pace.window, Math.floor(perSecond)));
  const least = Math.min(most, Math.ceil(atOnce / 2));
  const followed = slowestMs <= promptMs ? 2 * answered : answered;
  return slowestMs > 2 * promptMs ? least : Math.min(most, Math.max(least, untried + followed));
}
