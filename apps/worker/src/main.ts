import {
  createLogger,
  envOrExit,
  limitHeapGrowth,
  openObservability,
  runUntilSignal,
  startLine,
} from '@finhook/runtime';
import { createWorker } from './create-worker.ts';
import { workerEnv } from './env.ts';

limitHeapGrowth();
const { logLevel, observability, ...options } = envOrExit(workerEnv);
const logger = createLogger({ level: logLevel, name: 'worker', cell: options.cell });

await runUntilSignal({
  logger,
  start: async (signal) => {
    await using opened = new AsyncDisposableStack();
    const telemetry = await openObservability({ ...observability, serviceName: 'finhook-worker', logger });
    opened.defer(telemetry.close);
    const { newestMigration: migration } = opened.use(await createWorker({ ...options, ...telemetry, logger, signal }));
    logger.info(startLine({ databaseUrl: options.databaseUrl, migration }), 'worker started');
    return opened.move();
  },
});
// A request that is still in flight would keep the process alive until its timeout.
process.exit();
