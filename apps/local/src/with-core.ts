import { randomBytes } from 'node:crypto';
import { type Core, openCore } from '@finhook/core';
import { type DataFolder, findDataFolder, openDataFolder } from './data-folder.ts';
import type { LocalEnv } from './env.ts';
import { exitWithSentence } from './exit-with-sentence.ts';
import { explainDatabaseError, LocalError } from './local-error.ts';
import { openStores } from './open-stores.ts';
import { refuseOtherKey } from './refuse-other-key.ts';

/**
 * Runs `work` on the database that the environment names, of the running service, or of the data folder when none runs,
 * brought up to date first; closes what it opened. Throws a plain sentence when the key of that database's service is not known.
 */
export async function withCore<T>(env: LocalEnv, work: (core: Core) => Promise<T>): Promise<T> {
  const folder = folderOf(env);
  return await withKey(env, folder, secretsKeyOf(env, folder), async (core) => {
    await core.database.migrate();
    await refuseOtherKey(core, folder);
    return await work(core);
  });
}

/** The same without bringing the database up to date, for `work` that touches no secret: the key need not be known. */
export async function withCoreToRead<T>(env: LocalEnv, work: (core: Core) => Promise<T>): Promise<T> {
  const folder = folderOf(env);
  return await withKey(env, folder, randomBytes(32).toString('base64'), work);
}

/** Beside a database that is named, the folder tells at most whose it is: it need be neither there nor writable. */
function folderOf(env: LocalEnv): DataFolder {
  const open = env.DATABASE_URL === undefined ? openDataFolder : findDataFolder;
  return open(env.FINHOOK_DATA_DIR);
}

/** The key of the service on the database; the folder's is that of the folder's own service only. */
function secretsKeyOf(env: LocalEnv, folder: DataFolder): string {
  if (env.SECRETS_KEY !== undefined) return env.SECRETS_KEY;
  if (env.DATABASE_URL !== undefined && env.DATABASE_URL !== folder.running()?.stores.database_url) {
    throw new LocalError(
      'SECRETS_KEY is missing: DATABASE_URL names a database, and what is made here works there under the key of its ' +
        'service only. Set SECRETS_KEY to that of its api and worker.',
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
  const stores = await openStores({ ...env, DATABASE_URL: databaseUrl }, folder, exitWithSentence);
  cleanUp.defer(stores.close);
  const core = await openCore({
    databaseUrl: stores.databaseUrl,
    secretsKey,
    allowInsecureWebhooks: env.ALLOW_INSECURE_WEBHOOKS,
    allowedCidrs: env.WEBHOOK_ALLOWED_CIDRS,
    proxyUrl: env.WEBHOOK_PROXY_URL,
    poolSize: 2,
  });
  cleanUp.defer(core.database.close);
  try {
    // Awaited here: what is opened closes as soon as this returns.
    return await work(core);
  } catch (error) {
    throw env.DATABASE_URL === undefined ? error : explainDatabaseError(error);
  }
}
