import { type Core, openCore } from '@finhook/core';
import { openDataFolder } from './data-folder.ts';
import type { LocalEnv } from './env.ts';
import { exitWithSentence } from './exit-with-sentence.ts';
import { openStores } from './open-stores.ts';

/**
 * Runs `work` on the database that the environment names, of the running service, or of the data folder when none runs;
 * closes what it opened.
 */
export async function withCore<T>(env: LocalEnv, work: (core: Core) => Promise<T>): Promise<T> {
  const folder = openDataFolder(env.FINHOOK_DATA_DIR);
  const databaseUrl = env.DATABASE_URL ?? folder.running()?.stores.database_url;
  await using cleanUp = new AsyncDisposableStack();
  const stores = await openStores({ ...env, DATABASE_URL: databaseUrl }, folder, exitWithSentence);
  cleanUp.defer(stores.close);
  const core = await openCore({
    databaseUrl: stores.databaseUrl,
    secretsKey: env.SECRETS_KEY ?? folder.secretsKey(),
    allowInsecureWebhooks: env.ALLOW_INSECURE_WEBHOOKS,
    allowedCidrs: env.WEBHOOK_ALLOWED_CIDRS,
    proxyUrl: env.WEBHOOK_PROXY_URL,
    poolSize: 2,
  });
  cleanUp.defer(core.database.close);
  await core.database.migrate();
  // Awaited here: what is opened closes as soon as this returns.
  return await work(core);
}
