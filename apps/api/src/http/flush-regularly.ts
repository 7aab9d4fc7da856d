import type { FastifyInstance } from 'fastify';

/** Writes what gathers in memory every so often, unless the write before is still under way, and once more at the end. */
export function flushRegularly(
  app: Pick<FastifyInstance, 'addHook'>,
  source: { flush(): Promise<void> },
  everyMs: number,
  onError: (error: unknown) => void,
): void {
  let underWay: Promise<void> | undefined;
  const write = async (): Promise<void> => {
    await source.flush().catch(onError);
    underWay = undefined;
  };
  const begin = (): void => {
    underWay ??= write();
  };
  const timer = setInterval(begin, everyMs).unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
    await underWay;
    await write();
  });
}
