import { createLogger, runUntilSignal } from '@finhook/platform';
import { readLocalEnv } from './env.ts';
import { exitWithSentence } from './exit-with-sentence.ts';
import { startLocal } from './start-local.ts';
import { watchRunner } from './watch-runner.ts';
import { welcome } from './welcome.ts';

try {
  const env = readLocalEnv();
  const logger = createLogger({ name: 'finhook', level: env.LOG_LEVEL });
  console.log('Starting finhook…');
  const local = await startLocal(env, logger, exitWithSentence);
  if (env.stopWithRunner) watchRunner();
  console.log(welcome(local));
  await runUntilSignal({
    logger,
    start: async () => ({ [Symbol.asyncDispose]: local.close }),
  });
  console.log('Stopped. The data is kept.');
  // A delivery that outlasted the stop would keep the process alive until its own timeout.
  process.exit();
} catch (error) {
  exitWithSentence(error);
}
