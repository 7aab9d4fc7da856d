import { createLogger, envOrExit, limitHeapGrowth, runUntilSignal, startLine } from '@finhook/runtime';
import { readApiEnv } from './env.ts';
import { startApi } from './start-api.ts';

limitHeapGrowth();
const env = envOrExit(readApiEnv);
const logger = createLogger({ name: 'api', level: env.LOG_LEVEL, cell: env.CELL });

await runUntilSignal({
  logger,
  async start(signal) {
    const api = await startApi(env, logger, { signal });
    const { newestMigration: migration } = api.core.database;
    logger.info({ url: api.url, ...startLine({ databaseUrl: env.DATABASE_URL, migration }) }, 'ready');
    return { [Symbol.asyncDispose]: () => api.close() };
  },
});
// Traces in flight would keep the process alive until it is killed.
process.exit();
