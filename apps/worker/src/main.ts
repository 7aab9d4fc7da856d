import { createLogger, envOrExit, limitYoungGeneration, runUntilSignal } from '@finhook/platform';
import { createWorker } from './create-worker.ts';
import { workerEnv } from './env.ts';

limitYoungGeneration();
const { logLevel, ...options } = envOrExit(workerEnv);
const logger = createLogger({ level: logLevel, name: 'worker' });

await runUntilSignal({
  logger,
  start: async () => {
    const worker = await createWorker({ ...options, logger });
    logger.info({ concurrency: options.concurrency }, 'worker started');
    return worker;
  },
});
// A request that outlasted the closing would keep the process alive until its own timeout.
process.exit();
