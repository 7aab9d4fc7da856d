import { createLogger, runUntilSignal } from '@finhook/runtime';
import { workerEnv } from '../src/env.ts';
import { createWorker } from '../src/index.ts';
import { processTiming, quickTimeoutMs } from './quick-timing.ts';

/** A worker process like `main.ts` with shorter leases and waits. Arguments: `timeoutMs`, `leaseMs`. */
const { logLevel, observability: _, ...options } = workerEnv();
const [, , timeoutMs = quickTimeoutMs, leaseMs = processTiming.leaseMs] = process.argv;
const logger = createLogger({ level: logLevel, name: 'worker' });

await runUntilSignal({
  logger,
  start: () =>
    createWorker({
      ...options,
      timeoutMs: Number(timeoutMs),
      timing: { ...processTiming, leaseMs: Number(leaseMs) },
      logger,
    }),
});
process.exit();
