import { randomBytes } from 'node:crypto';
import { type Core, openCore } from '@finhook/core';
import { startEmbeddedPostgres } from '@finhook/embedded';
import { ExpectedError, exitWithMessage, explainDatabaseError, explainOldData } from './command.ts';
import { type DataFolder, findDataFolder, openDataFolder } from './data-folder.ts';
import type { LocalEnv } from './env.ts';
import { assertSameSecretsKey } from './first-account.ts';

export interface OpenStores {
  databaseUrl: string;
  queueUrl: string;
  close: () => Promise<void>;
}

export async function openStores(
  env: LocalEnv,
  folder: DataFolder,
  onLost: (lines: string) => void,
): Promise<OpenStores> {
  if (env.DATABASE_URL !== undefined) {
    return {
      databaseUrl: env.DATABASE_URL,
      queueUrl: env.QUEUE_URL ?? env.DATABASE_URL,
      close: async () => undefined,
    };
  }
  const postgres = await startEmbeddedPostgres({
    dataDir: folder.postgres,
    port: 0,
    durable: true,
    onUnexpectedExit: onLost,
  });
  const databaseUrl = postgres.url('postgres');
  return { databaseUrl, queueUrl: env.QUEUE_URL ?? databaseUrl, close: postgres.stop };
}

export const coreOptions = (env: LocalEnv, { databaseUrl }: OpenStores, secretsKey: string) => ({
  databaseUrl,
  cell: env.CELL,
  secretsKey,
  allowInsecureWebhooks: env.ALLOW_INSECURE_WEBHOOKS,
  allowedCidrs: env.WEBHOOK_ALLOWED_CIDRS,
  proxyUrl: env.WEBHOOK_PROXY_URL,
  poolSize: env.DATABASE_POOL_SIZE,
});

/**
 * Runs `work` on the database of DATABASE_URL, of the running service, or of the data folder, after migrating it.
 * @throws ExpectedError if the SECRETS_KEY of that database is unknown
 */
export async function withCore<T>(env: LocalEnv, work: (core: Core) => Promise<T>): Promise<T> {
  const folder = folderOf(env);
  return await withKey(env, folder, secretsKeyOf(env, folder), async (core) => {
    await core.database.migrate();
    await assertSameSecretsKey(core, folder);
    return await work(core);
  });
}

/** Without migrations and with any SECRETS_KEY, for `work` that reads no secret. */
export async function withCoreToRead<T>(env: LocalEnv, work: (core: Core) => Promise<T>): Promise<T> {
  const folder = folderOf(env);
  return await withKey(env, folder, randomBytes(32).toString('base64'), work);
}

/** With DATABASE_URL the folder may be absent or read-only. */
function folderOf(env: LocalEnv): DataFolder {
  const open = env.DATABASE_URL === undefined ? openDataFolder : findDataFolder;
  return open(env.FINHOOK_DATA_DIR);
}

/** The folder's key is only for its own service's database. */
function secretsKeyOf(env: LocalEnv, folder: DataFolder): string {
  if (env.SECRETS_KEY !== undefined) return env.SECRETS_KEY;
  if (env.DATABASE_URL !== undefined && env.DATABASE_URL !== folder.running()?.stores.database_url) {
    throw new ExpectedError(
      'SECRETS_KEY is missing: keys and links of the database of DATABASE_URL work only with the key of its service. Set ' +
        'SECRETS_KEY to that of its api and worker.',
    );
  }
  return folder.secretsKey();
}

async function withKey<T>(
  env: LocalEnv,
  folder: DataFolder,
  secretsKey: string,
  work: (core: Core) => Promise<T>,
): Promise<T> {
  const databaseUrl = env.DATABASE_URL ?? folder.running()?.stores.database_url;
  await using cleanUp = new AsyncDisposableStack();
  const stores = await openStores({ ...env, DATABASE_URL: databaseUrl }, folder, exitWithMessage);
  cleanUp.defer(stores.close);
  const core = await openCore({ ...coreOptions(env, stores, secretsKey), poolSize: 2 });
  cleanUp.defer(core.database.close);
  try {
    // Awaited before the stack closes the database.
    return await work(core);
  } catch (error) {
    throw env.DATABASE_URL === undefined ? explainOldData(error, folder.path) : explainDatabaseError(error);
  }
}
