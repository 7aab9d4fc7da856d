export interface Repetition {
  /** Starts no further run; resolves when the current one has ended. */
  close(): Promise<void>;
}

/**
 * Runs now, and again so many ms after the end of a run as it returned. `run` handles its errors: one that rejects is an
 * unhandled rejection, and the last. With `unref`, the wait does not keep the process alive.
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
