import { createLogger, envOrExit, runUntilSignal } from '@finhook/platform';
import { buildDashboard } from './build-dashboard.ts';
import { readLocalEnv } from './env.ts';
import { exitWithSentence } from './exit-with-sentence.ts';
import { startLocal } from './start-local.ts';
import { watchRunner } from './watch-runner.ts';
import { welcome } from './welcome.ts';

const env = envOrExit(readLocalEnv);
const logger = createLogger({ name: 'finhook', level: env.LOG_LEVEL });
console.log('Starting finhook…');
// Signals are obeyed from here on: one that comes during the start stops what was started.
await runUntilSignal({
  logger,
  start: async () => {
    // Beside PostgreSQL's start, which waits for the disk more than for a processor.
    const building = buildDashboard();
    const local = await startLocal(env, logger, exitWithSentence, building).catch(exitWithSentence);
    if (env.stopWithRunner) watchRunner();
    console.log(welcome(local));
    const problem = await building;
    if (problem !== undefined) console.error(problem);
    return { [Symbol.asyncDispose]: local.close };
  },
});
console.log('Stopped. The data is kept.');
// A delivery that outlasted the stop would keep the process alive until its own timeout.
process.exit();
