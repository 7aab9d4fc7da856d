import {
  createLogger,
  databaseAddress,
  envOrExit,
  limitHeapGrowth,
  runUntilSignal,
  serviceVersion,
} from '@finhook/runtime';
import { readApiEnv } from './env.ts';
import { startApi } from './start-api.ts';

limitHeapGrowth();
const env = envOrExit(readApiEnv);
const logger = createLogger({ name: 'api', level: env.LOG_LEVEL, cell: env.CELL });

await runUntilSignal({
  logger,
  async start() {
    const api = await startApi(env, logger);
    const { newestMigration: migration } = api.core.database;
    const database = databaseAddress(env.DATABASE_URL);
    logger.info({ url: api.url, version: serviceVersion(), database, migration }, 'ready');
    return { [Symbol.asyncDispose]: () => api.close() };
  },
});
// Traces in flight to an unresponsive collector would keep the process alive until it is killed.
process.exit();
