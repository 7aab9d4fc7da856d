import { createLogger } from '@finhook/runtime';
import { afterAll, beforeAll } from 'vitest';
import { readLocalEnv } from '../src/env.ts';
import { type RunningLocal, startLocal } from '../src/start-local.ts';
import { temporaryFolder } from './local-process.ts';

export interface LocalService {
  readonly folder: string;
  readonly local: RunningLocal;
}

/** The service as run by `start`, with its own database and data folder, for the tests of a file. */
export function useLocalService(
  createDatabase: () => Promise<{ readonly url: string; drop(): Promise<void> }>,
): LocalService {
  const folder = temporaryFolder();
  let local: RunningLocal | undefined;
  let drop: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    const database = await createDatabase();
    drop = () => database.drop();
    const env = readLocalEnv({ PORT: '0', FINHOOK_DATA_DIR: folder.path, DATABASE_URL: database.url });
    local = await startLocal(env, createLogger({ name: 'test', level: 'silent' }), (lines) => {
      throw new Error(lines);
    });
  });
  afterAll(async () => {
    await local?.close();
    await drop?.();
    folder.remove();
  });
  return {
    folder: folder.path,
    get local() {
      if (local === undefined) throw new Error('The service has not been started.');
      return local;
    },
  };
}
