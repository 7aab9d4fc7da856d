import type { Core } from '@finhook/core';
import { Command } from 'commander';
import { reasonOf } from '../reason-of.ts';
import type { Environment } from './env.ts';
import { Failure, usageFailure } from './failure.ts';
import type { Session } from './session.ts';

/** Loads the server's packages, which the published package lacks, only when it runs. */
export function migrateCommand(session: Session): Command {
  const command = new Command('migrate')
    .summary('migrations of the database of DATABASE_URL')
    .description('Shows or runs the pending migrations of the database of DATABASE_URL.');
  command
    .command('plan')
    .description('List the pending migrations; nothing is changed.')
    .action(() => plan(session));
  command
    .command('apply')
    .description('Run the pending migrations. Concurrent runs wait for each other.')
    .action(() => apply(session));
  return command;
}

function assertDatabase({ env }: Session): void {
  if (env.databaseUrl === undefined) throw usageFailure('Set DATABASE_URL to the database of the service.');
}

/** Imports the server's code, which the published package lacks. */
export async function fromServer<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
    throw usageFailure(
      "This needs the server's code, which this package leaves out. Run the command in the server's image or checkout.",
    );
  }
}

async function loadServer() {
  const [core, env] = await fromServer(() => Promise.all([import('../with-core.ts'), import('../env.ts')]));
  return { ...core, ...env };
}

export async function readDatabase<T>({ variables }: Environment, work: (core: Core) => Promise<T>): Promise<T> {
  const { withCoreToRead, readLocalEnv } = await loadServer();
  return await withCoreToRead(readLocalEnv(variables), work).catch(asFailure);
}

/** Compares SECRETS_KEY, if set, and the running processes with the keys of the database. */
export async function compareSecretsKeys(env: Environment) {
  const { readSecretsKeys } = await fromServer(() => import('@finhook/core'));
  const { readLocalEnv } = await loadServer();
  return await readDatabase(env, (core) => readSecretsKeys(core, readLocalEnv(env.variables).SECRETS_KEY));
}

export async function tryWrite(env: Environment): Promise<void> {
  await readDatabase(env, (core) => core.database.tryWrite(true));
}

export async function readPending(env: Environment): Promise<{ pending: readonly string[]; isReadOnly: boolean }> {
  const state = await readDatabase(env, (core) => core.database.state());
  return { pending: state.pendingMigrations, isReadOnly: state.isReadOnly };
}

function asFailure(error: unknown): never {
  throw new Failure(reasonOf(error));
}

async function plan(session: Session): Promise<void> {
  assertDatabase(session);
  const { pending } = await readPending(session.env);
  for (const name of pending) session.output.print(name);
  session.output.say(
    pending.length === 0 ? 'The database is up to date.' : `${pending.length} pending. Run them: finhook migrate apply`,
  );
}

async function apply(session: Session): Promise<void> {
  assertDatabase(session);
  const { pending } = await readPending(session.env);
  const { withCore, readLocalEnv } = await loadServer();
  await withCore(readLocalEnv(session.env.variables), async () => undefined).catch(asFailure);
  for (const name of pending) session.output.print(name);
  session.output.say('The database is up to date.');
}
