import { createLogger, envOrExit, runUntilSignal } from '@finhook/runtime';
import { buildDashboard } from './build-dashboard.ts';
import { exitWithMessage } from './command.ts';
import { readLocalEnv } from './env.ts';
import { watchRunner } from './processes.ts';
import { startLocal } from './start-local.ts';
import { print, say } from './terminal.ts';
import { welcome } from './welcome.ts';

const env = envOrExit(readLocalEnv);
const logger = createLogger({ name: 'finhook', level: env.LOG_LEVEL });
print('Starting finhook…');
// A signal stops what has been started.
await runUntilSignal({
  logger,
  say,
  start: async () => {
    // PostgreSQL's start waits for the disk rather than the CPU.
    const building = buildDashboard();
    const local = await startLocal(env, logger, exitWithMessage, building).catch(exitWithMessage);
    if (env.stopWithRunner) watchRunner();
    print(welcome(local));
    const problem = await building;
    if (problem !== undefined) say(problem);
    return { [Symbol.asyncDispose]: local.close };
  },
});
print('Stopped. The data is kept.');
// A delivery in flight would keep the process alive until its timeout.
process.exit();
