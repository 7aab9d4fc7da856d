import { exitWithMessage, readOptions } from './command.ts';
import { readLocalEnv } from './env.ts';
import { withCore } from './with-core.ts';

try {
  readOptions('migrate, without options: it migrates the database of DATABASE_URL', {}, () => undefined);
  await withCore(readLocalEnv(), async () => undefined);
  console.log('The database is up to date.');
} catch (error) {
  exitWithMessage(error);
}
