interface SampleOptions {
  /** Milliseconds from the end of one sample to the next, longer after a slow sample. */
  readonly everyMs: number;
  readonly sample: () => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** The wait is at least this multiple of the sample's own duration. */
const restFactor = 4;

/** Samples now and repeatedly. The returned function stops it and resolves when no sample is running. */
export function sampleRegularly({ everyMs, sample, onError }: SampleOptions): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const run = async () => {
    const startedAt = performance.now();
    await sample().catch(onError);
    const wait = Math.max(everyMs, restFactor * (performance.now() - startedAt));
    if (!stopped) timer = setTimeout(start, wait).unref();
  };
  let running: Promise<void> = Promise.resolve();
  const start = () => {
    running = run();
  };
  start();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await running;
  };
}
