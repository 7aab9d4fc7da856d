import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMigratedDatabase } from '@finhook/core/test';
import { afterAll, beforeAll, inject } from 'vitest';
import type { RunningLocal } from '../../src/start-local.ts';
import { useLocalService } from '../use-local.ts';
import { type CommandLine, openCommandLine } from './run-finhook.ts';

export interface Finhook {
  readonly info: RunningLocal['info'];
  /** Of the service. */
  readonly dataFolder: string;
  /** Of the settings and of `fileOf`. */
  readonly folder: string;
  readonly env: Record<string, string>;
  readonly run: CommandLine['run'];
  readonly runWith: CommandLine['runWith'];
  readonly start: CommandLine['start'];
  /** Runs the command with --json. */
  readonly json: (...args: string[]) => Promise<Record<string, unknown>>;
  /** Every record of a list. */
  readonly all: (...args: string[]) => Promise<Record<string, unknown>[]>;
  /** Returns the id. */
  readonly createCompany: (...flags: string[]) => Promise<string>;
  /** With a scope or permissions. */
  readonly createKey: (...flags: string[]) => Promise<string>;
  /** Returns the path. */
  readonly fileOf: (text: string) => string;
}

/** The command line, logged in to its own service, for the tests of a file. */
export function useFinhook(): Finhook {
  const service = useLocalService(() => createMigratedDatabase(inject('pgUrl')));
  let opened: CommandLine | undefined;
  let files = 0;
  beforeAll(() => {
    const { api_url, api_key } = service.local.info;
    opened = openCommandLine({ FINHOOK_URL: api_url, FINHOOK_API_KEY: api_key });
  });
  afterAll(() => opened?.remove());
  const line = (): CommandLine => {
    if (opened === undefined) throw new Error('The command line has not been opened.');
    return opened;
  };
  const json = async (...args: string[]) => JSON.parse((await line().run(...args, '--json')).stdout);
  return {
    get info() {
      return service.local.info;
    },
    dataFolder: service.folder,
    get folder() {
      return line().folder;
    },
    get env() {
      return line().env;
    },
    run: (...args) => line().run(...args),
    runWith: (options, ...args) => line().runWith(options, ...args),
    start: (...args) => line().start(...args),
    json,
    all: async (...args) => {
      const { stdout } = await line().run(...args, '--all', '--json');
      return stdout
        .split('\n')
        .filter(Boolean)
        .map((row) => JSON.parse(row));
    },
    createCompany: async (...flags) => String((await json('companies', 'create', '--name', 'Beta', ...flags)).id),
    createKey: async (...flags) => String((await json('api-keys', 'create', '--name', 'Key', ...flags)).key),
    fileOf: (text) => {
      const path = join(line().folder, `file-${files++}`);
      writeFileSync(path, text);
      return path;
    },
  };
}
