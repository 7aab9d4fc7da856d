import { parseArgs } from 'node:util';
import { openAccount, openCore } from '@finhook/core';
import { openDataFolder } from './data-folder.ts';
import { type LocalEnv, readLocalEnv } from './env.ts';
import { exitWithSentence } from './exit-with-sentence.ts';
import { LocalError } from './local-error.ts';
import { openStores } from './open-stores.ts';

interface Options {
  name: string;
  test: boolean;
}

function readOptions(): Options {
  try {
    const { values } = parseArgs({
      options: { name: { type: 'string' }, test: { type: 'boolean', default: false } },
    });
    return { name: values.name ?? 'New account', test: values.test };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new LocalError(`${reason}. Usage: account:create [--name "Acme"] [--test]`);
  }
}

/** Opens an account on the database of the running service, or of the data folder when none runs. */
async function createAccount(env: LocalEnv, { name, test }: Options): Promise<void> {
  const folder = openDataFolder(env.FINHOOK_DATA_DIR);
  const databaseUrl = env.DATABASE_URL ?? folder.running()?.stores?.database_url;
  await using cleanUp = new AsyncDisposableStack();
  const stores = await openStores({ ...env, DATABASE_URL: databaseUrl }, folder, exitWithSentence);
  cleanUp.defer(stores.close);
  const core = await openCore({
    databaseUrl: stores.databaseUrl,
    secretsKey: env.SECRETS_KEY ?? folder.secretsKey(),
    allowInsecureWebhooks: env.ALLOW_INSECURE_WEBHOOKS,
    poolSize: 2,
  });
  cleanUp.defer(core.database.close);
  await core.database.migrate();
  const opened = await openAccount(core, { name, mode: test ? 'test' : 'live', companyName: name });
  const answer = { account_id: opened.accountId, company_id: opened.companyId, api_key: opened.apiKey };
  console.log(JSON.stringify(answer));
}

try {
  await createAccount(readLocalEnv(), readOptions());
} catch (error) {
  exitWithSentence(error);
}
