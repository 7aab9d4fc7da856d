import type { FastifyInstance } from 'fastify';

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
