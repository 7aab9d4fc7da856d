import type { BackendHealth } from './backend-health.ts';

export interface WriteProbeOptions {
  /** A harmless write. Rejects when the backend accepts no writes. */
  readonly write: () => Promise<unknown>;
  readonly health: Pick<BackendHealth, 'up' | 'slow' | 'down'>;
  /** The probe writes after this time without a write. */
  readonly everyMs: number;
  /** The backend is slow if a write takes longer. */
  readonly slowMs: number;
}

export interface WriteProbe {
  /** For a new connection. Results of earlier ones are ignored. */
  readonly start: () => void;
  readonly stop: () => void;
  /** A write of the process replaces the probe's own. Settles like `writing`. */
  readonly observe: <T>(writing: Promise<T>) => Promise<T>;
}

/** Detects by writes whether a connected backend accepts them, and in time. */
export function createWriteProbe({ write, health, everyMs, slowMs }: WriteProbeOptions): WriteProbe {
  /** Differs for each connection. */
  let connection: object | undefined;
  let next: NodeJS.Timeout | undefined;
  let provenAt = Number.NEGATIVE_INFINITY;

  const observe = async <T>(writing: Promise<T>): Promise<T> => {
    const writtenOn = connection;
    if (writtenOn === undefined) return writing;
    const tooLate = () => {
      if (connection === writtenOn) health.slow(new Error(`A write to the queue took longer than ${slowMs} ms.`));
    };
    // Reads a response that arrived while the process was busy first.
    let afterReads: NodeJS.Immediate | undefined;
    const deadline = setTimeout(() => {
      afterReads = setImmediate(tooLate);
    }, slowMs);
    try {
      const result = await writing;
      if (connection === writtenOn) {
        provenAt = performance.now();
        health.up();
      }
      return result;
    } finally {
      clearTimeout(deadline);
      if (afterReads !== undefined) clearImmediate(afterReads);
    }
  };
  const probe = async (probed: object) => {
    const restMs = provenAt + everyMs - performance.now();
    if (restMs <= 0) {
      await observe(write()).catch((error: unknown) => {
        if (connection === probed) health.down(error);
      });
    }
    if (connection === probed) next = setTimeout(() => void probe(probed), restMs > 0 ? restMs : everyMs);
  };
  const stop = () => {
    connection = undefined;
    clearTimeout(next);
  };
  return {
    start: () => {
      stop();
      connection = {};
      provenAt = Number.NEGATIVE_INFINITY;
      void probe(connection);
    },
    stop,
    observe,
  };
}
