import { createLogger, envOrExit, limitHeapGrowth, openObservability, runUntilSignal } from '@finhook/platform';
import { createWorker } from './create-worker.ts';
import { workerEnv } from './env.ts';

limitHeapGrowth();
const { logLevel, observability, ...options } = envOrExit(workerEnv);
const logger = createLogger({ level: logLevel, name: 'worker' });

await runUntilSignal({
  logger,
  start: async () => {
    const seen = await openObservability({ ...observability, serviceName: 'finhook-worker', logger });
    const worker = await createWorker({ ...options, ...seen, logger });
    logger.info({ concurrency: options.concurrency }, 'worker started');
    const stop = async () => {
      await worker.close();
      await seen.close();
    };
    return { [Symbol.asyncDispose]: stop };
  },
});
// A request that outlasted the closing would keep the process alive until its own timeout.
process.exit();
