import { advanceReplay, type Core, nextReplayInMs, type Repetition, repeat, steadyPace } from '@finhook/core';
import type { Logger } from '@finhook/runtime';

/** The pause after a step, as a multiple of its duration. A step slower than the fastest one gets a longer pause. */
const pausePerStep = 4;

interface ReplayerOptions {
  readonly core: Core;
  readonly logger: Logger;
  /** See `Timing.replayMs`. */
  readonly idleMs: number;
}

/** Advances replays, one step at a time. Workers share them: a step locks its replay's row, which has the next step's time. */
export function startReplayer(options: ReplayerOptions): Repetition {
  const { core, logger, idleMs } = options;
  let failing = false;
  let fastestMs = Number.POSITIVE_INFINITY;

  /** Returns the wait until the next step, in ms. */
  const advance = async (): Promise<number> => {
    const inMs = await nextReplayInMs(core);
    if (inMs === undefined) {
      fastestMs = Number.POSITIVE_INFINITY;
      return idleMs;
    }
    if (inMs > 0) return Math.min(Math.ceil(inMs), idleMs);
    const startedAt = performance.now();
    const replay = await advanceReplay(core);
    const tookMs = performance.now() - startedAt;
    // This step handed over nothing, because its replay waits for the endpoint.
    if (replay?.waiting_for != null) return tookMs;
    fastestMs = Math.min(fastestMs, tookMs);
    return Math.min(idleMs, Math.max(steadyPace.everyMs, pausePerStep * tookMs * (tookMs / fastestMs)));
  };
  return repeat(async () => {
    let waitMs = idleMs;
    try {
      waitMs = await advance();
      if (failing) logger.info({}, 'the replayer recovered');
      failing = false;
    } catch (err) {
      if (!failing) logger.warn({ err }, 'the replayer failed and tries again');
      failing = true;
    }
    return waitMs;
  });
}
