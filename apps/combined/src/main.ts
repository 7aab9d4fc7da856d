import { createLogger, envOrExit, limitHeapGrowth, runUntilSignal, startLine } from '@finhook/runtime';
import { readCombinedEnv } from './env.ts';
import { startCombined } from './start-combined.ts';

limitHeapGrowth();
const env = envOrExit(readCombinedEnv);
const logger = createLogger({ name: 'combined', level: env.LOG_LEVEL, cell: env.CELL });

await runUntilSignal({
  logger,
  // The port closes after the worker.
  deadlineMs: 12_000,
  async start(signal) {
    const { api, close } = await startCombined(env, logger, { signal });
    const { newestMigration: migration } = api.core.database;
    logger.info({ url: api.url, ...startLine({ databaseUrl: env.DATABASE_URL, migration }) }, 'ready');
    return { [Symbol.asyncDispose]: close };
  },
});
// A delivery in flight would keep the process alive until its timeout.
process.exit();
