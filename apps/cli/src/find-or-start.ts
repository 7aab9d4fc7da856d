import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@finhook/runtime';
import { exitWithMessage } from './command.ts';
import { openDataFolder } from './data-folder.ts';
import { readLocalEnv } from './env.ts';
import { startLocal } from './start-local.ts';
import { print } from './terminal.ts';

export interface Target {
  api_url: string;
  api_key: string;
  /** False if the service and its data end with this process. */
  stays: boolean;
}

// Variables of another service would select its data and key.
const OWN_STORES = {
  DATABASE_URL: undefined,
  QUEUE_URL: undefined,
  SECRETS_KEY: undefined,
  BOOTSTRAP_API_KEY: undefined,
};

/** Finds the service on the data folder, or starts one in a temporary folder, which `cleanUp` stops and removes. */
export async function findOrStart(cleanUp: AsyncDisposableStack): Promise<Target> {
  const env = readLocalEnv();
  const running = openDataFolder(env.FINHOOK_DATA_DIR).running();
  if (running) {
    print(`Using the service at ${running.api_url}.`);
    return { ...running, stays: true };
  }
  print(`No service runs on this folder: starting one for the demo, with data of its own.`);
  const folder = mkdtempSync(join(tmpdir(), 'finhook-demo-'));
  chmodSync(folder, 0o711);
  cleanUp.defer(() => rmSync(folder, { recursive: true, force: true }));
  const logger = createLogger({ name: 'demo', level: env.LOG_LEVEL });
  const own = await startLocal({ ...env, ...OWN_STORES, PORT: 0, FINHOOK_DATA_DIR: folder }, logger, exitWithMessage);
  cleanUp.defer(own.close);
  return { ...own.info, stays: false };
}
