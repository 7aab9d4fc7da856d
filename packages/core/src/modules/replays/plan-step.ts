import type { Replay, WebhookEndpoint } from '@finhook/contracts';
import { healthConfig } from '@finhook/delivery';

export interface ReplayPace {
  /** Deliveries created per step, at most 31. */
  batch: number;
  /** Limit of an endpoint's replayed deliveries that wait for their first attempt. */
  window: number;
  everyMs: number;
  /** Age in ms from which a fresh delivery is late; replays wait for it. */
  lateMs: number;
}

/** Up to 320 deliveries a second. The window leaves half of the concurrent requests to fresh events. */
export const steadyPace: ReplayPace = { batch: 8, window: 32, everyMs: 25, lateMs: 250 };

/** Up to this response time in ms the next step doubles the deliveries; up to twice of it, it keeps their number. */
const promptMs = 250;
const maxOpen = 2_000;
const waitMs = 1_000;
const freshMs = 100;
/** A failing endpoint gets one delivery per interval, which shows when it responds again. */
const probeMs = 10_000;

export interface StepState {
  endpointStatus: WebhookEndpoint['status'];
  consecutiveFailures: number;
  scanned: boolean;
  enqueued: number;
  open: number;
  /** Deliveries that ended with their first attempt since the last step, and its longest duration. */
  responses: number;
  slowestMs: number;
  /** Limits of concurrent requests and of requests per second; Infinity without a limit. */
  atOnce: number;
  perSecond: number;
  untried: number;
  freshLate: boolean;
  alone: boolean;
  pace: ReplayPace;
}

export interface StepPlan {
  room: number;
  waitingFor: Replay['waiting_for'];
  delayMs: number;
  /** True if the delivery ignores the endpoint's pause, breaker and pace, like a manual retry. */
  requested?: boolean;
}

export function planStep(state: StepState): StepPlan {
  const { pace, untried, open } = state;
  const wait = (waitingFor: Replay['waiting_for'], delayMs: number): StepPlan => ({ room: 0, waitingFor, delayMs });
  if (state.endpointStatus !== 'active') return wait(`endpoint_${state.endpointStatus}`, waitMs);
  if (!state.alone) return wait(null, pace.everyMs);
  const failing = state.consecutiveFailures >= healthConfig.failingThreshold;
  if (state.scanned) return wait(failing && open > 0 ? 'endpoint_failing' : null, untried > 0 ? freshMs : waitMs);
  // The first delivery shows whether the endpoint is healthy, so it waits for no retry, pause or probe.
  if (state.enqueued === 0) return { room: 1, waitingFor: null, delayMs: pace.everyMs, requested: true };
  if (failing && (untried > 0 || state.freshLate)) return wait('endpoint_failing', waitMs);
  if (state.freshLate) return wait('fresh_events', freshMs);
  if (failing) return { room: 1, waitingFor: 'endpoint_failing', delayMs: probeMs };
  if (open >= maxOpen) return wait(null, waitMs);
  const room = Math.max(0, Math.min(pace.batch, windowOf(state) - untried));
  return { room, waitingFor: null, delayMs: pace.everyMs };
}

/** Half of the concurrent requests, at least one, at most one second's rate. Fast responses raise it. */
function windowOf({ pace, atOnce, perSecond, untried, responses, slowestMs }: StepState): number {
  const most = Math.max(1, Math.min(pace.window, Math.floor(perSecond)));
  const least = Math.min(most, Math.ceil(atOnce / 2));
  const followed = slowestMs <= promptMs ? 2 * responses : responses;
  return slowestMs > 2 * promptMs ? least : Math.min(most, Math.max(least, untried + followed));
}
