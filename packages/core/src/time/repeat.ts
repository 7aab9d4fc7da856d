export interface Repetition {
  /** Resolves when the current run has ended. */
  close(): Promise<void>;
}

/**
 * Runs now, then again the returned number of ms after each end. `run` must handle its errors: a rejection is unhandled
 * and stops the loop. With `unref`, the wait does not keep the process alive.
 */
export function repeat(run: () => Promise<number>, { unref = false } = {}): Repetition {
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let running = Promise.resolve();

  const start = () => {
    running = run().then((waitMs) => {
      if (isClosed) return;
      timer = setTimeout(start, waitMs);
      if (unref) timer.unref();
    });
  };
  start();

  return {
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
