import { randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { inspectProcess } from './inspect-process.ts';
import { LocalError } from './local-error.ts';

/** The first account and its key; the database has only the key's hash. */
const credentialsSchema = z.object({ account_id: z.string(), company_id: z.string(), api_key: z.string() });
export type Credentials = z.output<typeof credentialsSchema>;

/** How to reach the service that runs on this folder; for programs of the same user. */
const localInfoSchema = z.object({
  api_url: z.string(),
  dashboard_url: z.string().nullable(),
  /** Signs in once, within a day; null where the first account's key is of no use any more. */
  sign_in_url: z.string().nullable().default(null),
  api_key: z.string(),
  company_id: z.string(),
  pid: z.int(),
  /** The operators' console, and what signs in there. */
  ops_url: z.string().optional(),
  ops_password: z.string().optional(),
});
export type LocalInfo = z.output<typeof localInfoSchema>;

/** Addresses of the stores of the running service, and when its process was started; the file holds a password. */
const storesSchema = z.object({ pid: z.int(), started: z.string().optional(), database_url: z.string() });
type Stores = z.output<typeof storesSchema>;

/** The folder that keeps everything of a local installation. All its files are readable by their owner only. */
export interface DataFolder {
  readonly path: string;
  readonly postgres: string;
  /** The key that encrypts secrets at rest; made on first use. */
  secretsKey: () => string;
  /** What operators sign in with at /ops; made on first use. */
  opsPassword: () => string;
  readCredentials: () => Credentials | undefined;
  writeCredentials: (credentials: Credentials) => void;
  /** The service that runs on this folder now, if one does. */
  running: () => (LocalInfo & { stores: Stores }) | undefined;
  announce: (info: LocalInfo, databaseUrl: string) => void;
  /** Puts a fresh link into what `announce` wrote. */
  announceSignIn: (info: LocalInfo, signInUrl: string) => void;
  /** Removes what `announce` wrote. */
  withdraw: () => void;
}

/** Whether the process that announced itself still runs; its id alone may be another's by now, or our own. */
function isRunning({ pid, started }: Stores): boolean {
  return pid !== process.pid && started !== undefined && inspectProcess(pid)?.started === started;
}

// Written beside and renamed, so that a reader never sees half a file.
function writePrivate(path: string, text: string): void {
  const draft = `${path}.${process.pid}`;
  // On the disk before it has its name: after a loss of power it is there whole, or not at all.
  writeFileSync(draft, text, { mode: 0o600, flush: true });
  renameSync(draft, path);
}

function readOrMake(path: string, make: () => string): string {
  if (!existsSync(path)) writePrivate(path, make());
  const text = readFileSync(path, 'utf8').trim();
  if (text === '') throw new LocalError(`${path} is empty. Restore it, or remove it to have it made anew.`);
  return text;
}

function readJson<T>(path: string, schema: z.ZodType<T>): T | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return schema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    throw new LocalError(
      `${path} cannot be read as this program wrote it. Restore it, or remove it to have it made anew.`,
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

/** Whether nothing is in the folder but what this program writes; not so in a home folder that was named as ours. */
function isOurs(path: string): boolean {
  const written = new Set(Object.values(names));
  return readdirSync(path).every((name) => written.has(name));
}

function prepare(path: string): void {
  try {
    // Others may pass through (the database server may run as another user) and not look around.
    mkdirSync(path, { recursive: true, mode: 0o711 });
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    if (isOurs(path)) chmodSync(path, 0o711);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new LocalError(
      `The data folder ${path} cannot be written (${reason}). Change its owner, or choose another: FINHOOK_DATA_DIR=~/finhook.`,
    );
  }
}

/** Opens the data folder, making it when it is not there. Throws a plain sentence when it cannot be used. */
export function openDataFolder(folder: string): DataFolder {
  const path = resolve(folder);
  prepare(path);
  return folderAt(path);
}

/** The data folder as it is, if it is there at all: for what is stored elsewhere it need not be. */
export function findDataFolder(folder: string): DataFolder {
  return folderAt(resolve(folder));
}

function folderAt(path: string): DataFolder {
  const files = {
    secretsKey: join(path, names.secretsKey),
    opsPassword: join(path, names.opsPassword),
    credentials: join(path, names.credentials),
    local: join(path, names.local),
    stores: join(path, names.stores),
  };
  return {
    path,
    postgres: join(path, names.postgres),
    secretsKey: () => readOrMake(files.secretsKey, () => randomBytes(32).toString('base64')),
    opsPassword: () => readOrMake(files.opsPassword, () => randomBytes(18).toString('base64url')),
    readCredentials: () => readJson(files.credentials, credentialsSchema),
    writeCredentials: (credentials) => writePrivate(files.credentials, JSON.stringify(credentials, null, 2)),
    running() {
      const info = readJson(files.local, localInfoSchema);
      const stores = readJson(files.stores, storesSchema);
      return info && stores?.pid === info.pid && isRunning(stores) ? { ...info, stores } : undefined;
    },
    announce(info, databaseUrl) {
      const { pid } = info;
      const stores: Stores = { pid, started: inspectProcess(pid)?.started, database_url: databaseUrl };
      writePrivate(files.stores, JSON.stringify(stores, null, 2));
      writePrivate(files.local, JSON.stringify(info, null, 2));
    },
    announceSignIn(info, signInUrl) {
      const announced = localInfoSchema.parse({ ...info, sign_in_url: signInUrl });
      writePrivate(files.local, JSON.stringify(announced, null, 2));
    },
    withdraw() {
      rmSync(files.local, { force: true });
      rmSync(files.stores, { force: true });
    },
  };
}
