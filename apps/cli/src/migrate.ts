import { exitWithMessage, readOptions } from './command.ts';
import { readLocalEnv } from './env.ts';
import { print } from './terminal.ts';
import { withCore } from './with-core.ts';

try {
  readOptions('migrate, without options: it migrates the database of DATABASE_URL', {}, () => undefined);
  await withCore(readLocalEnv(), async () => undefined);
  print('The database is up to date.');
} catch (error) {
  exitWithMessage(error);
}
