import { type CombinedEnv, type RunningCombined, startCombined } from '@finhook/combined';
import { type Core, openCore, settleWithin } from '@finhook/core';
import type { Logger } from '@finhook/runtime';
import {
  assertUsablePort,
  ExpectedError,
  explainDatabaseError,
  explainListenError,
  explainOldData,
} from './command.ts';
import { type LocalInfo, openDataFolder } from './data-folder.ts';
import type { LocalEnv } from './env.ts';
import { assertSameSecretsKey, firstAccount, signInUrl } from './first-account.ts';
import { coreOptions, type OpenStores, openStores } from './with-core.ts';

export interface RunningLocal {
  info: LocalInfo;
  dataFolder: string;
  close: () => Promise<void>;
}

/**
 * Starts PostgreSQL (unless DATABASE_URL is set), api and worker in this process. A failed step stops the earlier ones.
 * Announces the service in local.json after `alsoReady`.
 */
export async function startLocal(
  env: LocalEnv,
  logger: Logger,
  onLost: (message: string) => void,
  alsoReady?: Promise<unknown>,
): Promise<RunningLocal> {
  if (env.PORT !== 0) await assertUsablePort(env.PORT);
  const folder = openDataFolder(env.FINHOOK_DATA_DIR);
  const other = folder.running();
  if (other) {
    throw new ExpectedError(
      `finhook already runs on ${folder.path} at ${other.api_url} (process ${other.pid}). Use it, stop it, or choose ` +
        'another folder and port: FINHOOK_DATA_DIR=… PORT=….',
    );
  }
  const cleanUp = new AsyncDisposableStack();
  try {
    const stores = await openStores(env, folder, (lines) => onLost(`PostgreSQL ended unexpectedly:\n${lines}`));
    cleanUp.defer(stores.close);
    const settings: Settings = {
      SECRETS_KEY: env.SECRETS_KEY ?? folder.secretsKey(),
      OPS_PASSWORD: env.OPS_PASSWORD ?? folder.opsPassword(),
    };
    const options = coreOptions(env, stores, settings.SECRETS_KEY);
    // Opening one core instead of two shortens the start.
    const core = await openCore({ ...options, onDatabaseError: (message) => logger.warn({ message }, 'database') });
    cleanUp.defer(() => settleWithin(closeMs, core.database.close()));
    const admit = (opened: Core) => assertSameSecretsKey(opened, folder);
    const onDatabaseAway = (error: unknown) => {
      throw error;
    };
    const starting = startCombined(combinedEnvOf(env, settings, stores), logger, { core, admit, onDatabaseAway });
    const { api, close } = await starting.catch((error: unknown) => {
      const explained = explainListenError(error, env.HOST, env.PORT);
      throw env.DATABASE_URL === undefined ? explainOldData(explained, folder.path) : explainDatabaseError(explained);
    });
    cleanUp.defer(close);
    const account = await firstAccount(api.core, folder, env.BOOTSTRAP_API_KEY);
    const info: LocalInfo = {
      api_url: api.url,
      dashboard_url: `${api.url}/dashboard`,
      sign_in_url: await firstSignIn(api, account.api_key, logger),
      api_key: account.api_key,
      company_id: account.company_id,
      pid: process.pid,
      ops_url: `${api.url}/ops`,
      ops_password: settings.OPS_PASSWORD,
    };
    await alsoReady;
    folder.announce(info, stores.databaseUrl);
    cleanUp.defer(folder.withdraw);
    const running = cleanUp.move();
    return { info, dataFolder: folder.path, close: () => running.disposeAsync() };
  } finally {
    await cleanUp.disposeAsync();
  }
}

/** Null if the first account's key is no longer valid. */
async function firstSignIn(
  { core, url }: RunningCombined['api'],
  apiKey: string,
  logger: Logger,
): Promise<string | null> {
  try {
    return await signInUrl(core, { api_url: url, api_key: apiKey });
  } catch (error) {
    if (!(error instanceof ExpectedError)) throw error;
    logger.info({ reason: error.message }, 'no sign-in link');
    return null;
  }
}

type Settings = Pick<CombinedEnv, 'SECRETS_KEY' | 'OPS_PASSWORD'>;

/** Closing doesn't wait longer for a statement; it ends with the process. */
const closeMs = 1_000;

/** The first account is opened separately, and no proxy is trusted. */
function combinedEnvOf(env: LocalEnv, settings: Settings, stores: OpenStores): CombinedEnv {
  return {
    ...env,
    ...settings,
    DATABASE_URL: stores.databaseUrl,
    QUEUE_URL: stores.queueUrl,
    BOOTSTRAP_API_KEY: undefined,
    TRUSTED_PROXIES: [],
    METRICS_HOST: '127.0.0.1',
    TRACE_SAMPLE_RATIO: 1,
    WEBHOOK_TRACEPARENT: false,
  };
}
