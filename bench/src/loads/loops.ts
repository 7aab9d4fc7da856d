import { setTimeout as delay } from 'node:timers/promises';
import { wallClock } from '../wall-clock.ts';
import type { AcceptedRequest, LoadResult } from './load.ts';

export interface ClosedLoopOptions {
  readonly callers: number;
  readonly warmupMs: number;
  readonly durationMs: number;
  /** Returns the event's id if it is kept; a rejection ends the run. */
  readonly work: (n: number) => Promise<string | undefined>;
}

/** Keeps `callers` busy for the warm-up and the measured time; counts work that ends in the measured time. */
export async function runClosedLoop({ callers, warmupMs, durationMs, work }: ClosedLoopOptions): Promise<LoadResult> {
  const startAt = wallClock() + warmupMs;
  const endAt = startAt + durationMs;
  const latencies: number[] = [];
  const accepted: AcceptedRequest[] = [];
  let next = 0;
  const call = async (): Promise<void> => {
    for (let began = wallClock(); began < endAt; ) {
      const eventId = await work(next++);
      const ended = wallClock();
      if (ended >= startAt && ended < endAt) {
        latencies.push(ended - began);
        if (eventId !== undefined) accepted.push([eventId, began, ended]);
      }
      began = ended;
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  return { count: latencies.length, all: next, seconds: durationMs / 1000, latencies, accepted };
}

export interface OpenLoopOptions {
  readonly perSecond: number;
  readonly warmupMs: number;
  readonly durationMs: number;
  /** Returns the event's id; a rejection ends the run. */
  readonly work: (n: number) => Promise<string>;
}

/**
 * Starts work at a fixed rate, independent of earlier work, and measures each latency from its due time. Otherwise
 * queueing would be hidden (coordinated omission).
 */
export async function runOpenLoop({ perSecond, warmupMs, durationMs, work }: OpenLoopOptions): Promise<LoadResult> {
  const total = Math.round(((warmupMs + durationMs) / 1000) * perSecond);
  const skipped = Math.round((warmupMs / 1000) * perSecond);
  const startAt = wallClock();
  const latencies: number[] = [];
  const accepted: AcceptedRequest[] = [];
  const running: Promise<void>[] = [];
  const runOne = async (n: number, due: number): Promise<void> => {
    const eventId = await work(n);
    if (n < skipped) return;
    const ended = wallClock();
    latencies.push(ended - due);
    accepted.push([eventId, due, ended]);
  };
  for (let n = 0; n < total; n++) {
    const due = startAt + (n * 1000) / perSecond;
    const early = due - wallClock();
    if (early > 0) await delay(early);
    running.push(runOne(n, due));
  }
  await Promise.all(running);
  return { count: latencies.length, seconds: durationMs / 1000, latencies, accepted };
}
