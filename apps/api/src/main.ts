import { createLogger, envOrExit, limitHeapGrowth, runUntilSignal } from '@finhook/runtime';
import { readApiEnv } from './env.ts';
import { startApi } from './start-api.ts';

limitHeapGrowth();
const env = envOrExit(readApiEnv);
const logger = createLogger({ name: 'api', level: env.LOG_LEVEL });

await runUntilSignal({
  logger,
  async start() {
    const api = await startApi(env, logger);
    logger.info({ url: api.url }, 'ready');
    return { [Symbol.asyncDispose]: () => api.close() };
  },
});
// Traces in flight to an unresponsive collector would keep the process alive until it is killed.
process.exit();
