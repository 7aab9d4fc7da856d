import { advanceReplay, type Core, nextReplayInMs, type Repetition, repeat, steadyPace } from '@finhook/core';
import type { Logger } from '@finhook/runtime';

/**
 * A step is followed by a pause of so many times its duration, and more when it took longer than the fastest one: it waited
 * for processor or disk then, as do fresh deliveries.
 */
const pausePerStep = 4;

interface ReplayerOptions {
  readonly core: Core;
  readonly logger: Logger;
  /** The poll interval while there are no replays, in ms. */
  readonly idleMs: number;
}

/**
 * Advances replays, one step at a time, for as long as there are any. Workers need not agree: a step holds its replay's
 * row, and the row says when the next one is. Logs the first failure and the recovery.
 */
export function startReplayer(options: ReplayerOptions): Repetition {
  const { core, logger, idleMs } = options;
  let failing = false;
  let fastestMs = Number.POSITIVE_INFINITY;

  /** Returns how long to wait for the next one, in ms. */
  const turn = async (): Promise<number> => {
    const inMs = await nextReplayInMs(core);
    if (inMs === undefined) {
      fastestMs = Number.POSITIVE_INFINITY;
      return idleMs;
    }
    if (inMs > 0) return Math.min(Math.ceil(inMs), idleMs);
    const startedAt = performance.now();
    const replay = await advanceReplay(core);
    const tookMs = performance.now() - startedAt;
    // A step that only finds its endpoint in trouble is short and hands nothing over: other replays do not wait for it.
    if (replay?.waiting_for != null) return tookMs;
    fastestMs = Math.min(fastestMs, tookMs);
    return Math.min(idleMs, Math.max(steadyPace.everyMs, pausePerStep * tookMs * (tookMs / fastestMs)));
  };
  return repeat(async () => {
    let waitMs = idleMs;
    try {
      waitMs = await turn();
      if (failing) logger.info({}, 'replays go on');
      failing = false;
    } catch (err) {
      if (!failing) logger.warn({ err }, 'could not advance replays: trying again and again');
      failing = true;
    }
    return waitMs;
  });
}
