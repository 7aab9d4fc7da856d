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
    const seen = await openObservability({ ...observability, serviceName: 'finhook-worker', logger });
    opened.defer(seen.close);
    try {
      const worker = opened.use(await createWorker({ ...options, ...seen, logger, signal }));
      const { newestMigration: migration } = worker;
      logger.info(startLine({ databaseUrl: options.databaseUrl, migration }), 'worker started');
    } catch (error) {
      // It was told to stop while it waited for the database.
      if (!signal.aborted) throw error;
    }
    return opened.move();
  },
});
// A request that outlasted the closing would keep the process alive until its own timeout.
process.exit();
