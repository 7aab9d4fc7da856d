interface SampleOptions {
  /** Milliseconds from the end of one sample to the next; a sample that takes long is followed by a longer wait. */
  readonly everyMs: number;
  readonly sample: () => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** After a sample the stores are left alone for so many times as long, at least. */
const restFactor = 4;

/** Takes a sample now and again and again. The function returned stops it and resolves when none is under way. */
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
