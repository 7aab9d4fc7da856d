import { exitWithMessage } from './command.ts';
import { readLocalEnv } from './env.ts';
import { withCore } from './with-core.ts';

try {
  await withCore(readLocalEnv(), async () => undefined);
  console.log('The database is up to date.');
} catch (error) {
  exitWithMessage(error);
}
