import { type Program, readOptions, runProgram } from './command.ts';
import { readLocalEnv } from './env.ts';
import { withCore } from './with-core.ts';

export const migrate: Program = async (args, source) => {
  readOptions('migrate, without options: it migrates the database of DATABASE_URL', {}, args, () => undefined);
  await withCore(readLocalEnv(source), async () => undefined);
  return 'The database is up to date.';
};

if (import.meta.main) await runProgram(migrate);
