import type { FastifyInstance } from 'fastify';

type Wake = (endpointIds: readonly string[]) => void;

/**
 * Sends wake-ups at most once per `intervalMs`: the first at once, later ones together at the end of the interval. A
 * busy api wakes the same endpoints hundreds of times a second, and each call costs the queue as much as a delivery.
 */
export function createPacedWake(send: Wake, intervalMs: number): Wake {
  const waiting = new Set<string>();
  let paused = false;

  function pause(): void {
    paused = true;
    setTimeout(() => {
      paused = false;
      if (waiting.size > 0) release();
    }, intervalMs);
  }

  function release(): void {
    const endpointIds = [...waiting];
    waiting.clear();
    pause();
    send(endpointIds);
  }

  return (endpointIds) => {
    for (const id of endpointIds) waiting.add(id);
    if (!paused && waiting.size > 0) release();
  };
}

export function flushRegularly(
  app: Pick<FastifyInstance, 'addHook'>,
  source: { flush(): Promise<void> },
  everyMs: number,
  onError: (error: unknown) => void,
): void {
  let running: Promise<void> | undefined;
  const write = async (): Promise<void> => {
    await source.flush().catch(onError);
    running = undefined;
  };
  const begin = (): void => {
    running ??= write();
  };
  const timer = setInterval(begin, everyMs).unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
    await running;
    await write();
  });
}
