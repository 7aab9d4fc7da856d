import { randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { ExpectedError } from './command.ts';
import { writePrivate } from './private-file.ts';
import { inspectProcess } from './processes.ts';
import { reasonOf } from './reason-of.ts';

/** The first account and its key, of which the database has only the hash. */
const credentialsSchema = z.object({ account_id: z.string(), company_id: z.string(), api_key: z.string() });
export type Credentials = z.output<typeof credentialsSchema>;

/** URLs and key of the service that runs on this folder, for other programs of the user. */
const localInfoSchema = z.object({
  api_url: z.string(),
  dashboard_url: z.string().nullable(),
  /** Signs in once, within a day; null if the first account's key is no longer valid. */
  sign_in_url: z.string().nullable().default(null),
  api_key: z.string(),
  company_id: z.string(),
  pid: z.int(),
  ops_url: z.string().optional(),
  ops_password: z.string().optional(),
});
export type LocalInfo = z.output<typeof localInfoSchema>;

/** The running service's database and start time; contains a password. */
const storesSchema = z.object({ pid: z.int(), started: z.string().optional(), database_url: z.string() });
type Stores = z.output<typeof storesSchema>;

export interface DataFolder {
  readonly path: string;
  readonly postgres: string;
  /** Encrypts stored secrets; created on first use. */
  secretsKey: () => string;
  /** For /ops; created on first use. */
  opsPassword: () => string;
  readCredentials: () => Credentials | undefined;
  writeCredentials: (credentials: Credentials) => void;
  running: () => (LocalInfo & { stores: Stores }) | undefined;
  announce: (info: LocalInfo, databaseUrl: string) => void;
  announceSignIn: (info: LocalInfo, signInUrl: string) => void;
  withdraw: () => void;
}

/** Also checks the start time, because another process may have the id now. */
function isRunning({ pid, started }: Stores): boolean {
  return pid !== process.pid && started !== undefined && inspectProcess(pid)?.started === started;
}

function readOrCreate(path: string, make: () => string): string {
  if (!existsSync(path)) writePrivate(path, make());
  const text = readFileSync(path, 'utf8').trim();
  if (text === '') throw new ExpectedError(`${path} is empty. Restore it, or remove it to create a new one.`);
  return text;
}

function readJson<T>(path: string, schema: z.ZodType<T>): T | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return schema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    throw new ExpectedError(
      `${path} cannot be read as this program wrote it. Restore it, or remove it to create a new one.`,
    );
  }
}

const names = {
  postgres: 'postgres',
  secretsKey: 'secrets.key',
  opsPassword: 'ops.password',
  credentials: 'credentials.json',
  local: 'local.json',
  stores: 'stores.json',
};

/** True if the folder has only files of this program: FINHOOK_DATA_DIR may be a home folder. */
function hasOnlyOwnFiles(path: string): boolean {
  const written = new Set(Object.values(names));
  return readdirSync(path).every((name) => written.has(name));
}

function prepare(path: string): void {
  try {
    // Others may enter it, because the database server may run as another user, but not list it.
    mkdirSync(path, { recursive: true, mode: 0o711 });
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    if (hasOnlyOwnFiles(path)) chmodSync(path, 0o711);
  } catch (error) {
    throw new ExpectedError(
      `The data folder ${path} cannot be used: ${explainUnusable(path, error)}, or choose another: FINHOOK_DATA_DIR=~/finhook.`,
    );
  }
}

/** Explains an EEXIST or ENOENT of mkdir by the nearest existing path. Returns a cause and a remedy. */
export function explainUnusable(path: string, error: unknown, check: typeof accessSync = accessSync): string {
  let existing = path;
  while (!existsSync(existing)) existing = dirname(existing);
  if (!statSync(existing).isDirectory()) return `${existing} is a file. Move it away`;
  const code = accessErrorOf(() => check(existing, constants.R_OK | constants.W_OK | constants.X_OK));
  if (code === 'EROFS') return `${existing} is on a read-only file system. Make that writable`;
  if (code === 'EACCES' || code === 'EPERM')
    return `this user has no permission to write in ${existing}. Change its owner`;
  return `${reasonOf(error)}. Correct that`;
}

function accessErrorOf(work: () => void): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : undefined;
  }
}

/** Creates the folder if needed. @throws ExpectedError if it can't be used */
export function openDataFolder(folder: string): DataFolder {
  const path = resolve(folder);
  prepare(path);
  return folderAt(path);
}

/** Neither creates nor checks the folder: with DATABASE_URL it may be absent. */
export function findDataFolder(folder: string): DataFolder {
  return folderAt(resolve(folder));
}

function folderAt(path: string): DataFolder {
  const pathOf = (name: keyof typeof names): string => join(path, names[name]);
  return {
    path,
    postgres: pathOf('postgres'),
    secretsKey: () => readOrCreate(pathOf('secretsKey'), () => randomBytes(32).toString('base64')),
    opsPassword: () => readOrCreate(pathOf('opsPassword'), () => randomBytes(18).toString('base64url')),
    readCredentials: () => readJson(pathOf('credentials'), credentialsSchema),
    writeCredentials: (credentials) => writePrivate(pathOf('credentials'), JSON.stringify(credentials, null, 2)),
    running() {
      const info = readJson(pathOf('local'), localInfoSchema);
      const stores = readJson(pathOf('stores'), storesSchema);
      return info && stores?.pid === info.pid && isRunning(stores) ? { ...info, stores } : undefined;
    },
    announce(info, databaseUrl) {
      const { pid } = info;
      const stores: Stores = { pid, started: inspectProcess(pid)?.started, database_url: databaseUrl };
      writePrivate(pathOf('stores'), JSON.stringify(stores, null, 2));
      writePrivate(pathOf('local'), JSON.stringify(info, null, 2));
    },
    announceSignIn(info, signInUrl) {
      const announced = localInfoSchema.parse({ ...info, sign_in_url: signInUrl });
      writePrivate(pathOf('local'), JSON.stringify(announced, null, 2));
    },
    withdraw() {
      rmSync(pathOf('local'), { force: true });
      rmSync(pathOf('stores'), { force: true });
    },
  };
}
