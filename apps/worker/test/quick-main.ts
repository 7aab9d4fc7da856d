import { createLogger, runUntilSignal } from '@finhook/runtime';
import { workerEnv } from '../src/env.ts';
import { createWorker } from '../src/index.ts';
import { quickTimeoutMs, quickTiming } from './quick-timing.ts';

/** A worker process as `main.ts` starts it, whose leases and other waits end sooner. Its argument is `timeoutMs`. */
const { logLevel, observability: _, ...options } = workerEnv();
const timeoutMs = Number(process.argv[2] ?? quickTimeoutMs);
const logger = createLogger({ level: logLevel, name: 'worker' });

await runUntilSignal({
  logger,
  start: () => createWorker({ ...options, timeoutMs, timing: quickTiming, logger }),
});
process.exit();
