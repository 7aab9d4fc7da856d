import { chownSync, existsSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

/** The operating system user that the server runs as; empty when it is simply ours. */
export type ServerUser = { readonly uid: number; readonly gid: number } | Record<string, never>;

const nobody = { uid: 65534, gid: 65534 };

/**
 * PostgreSQL refuses to run as root, so root runs it as the owner of the data folder, or as nobody when there is no
 * such folder yet. Nothing is added to the host's users.
 */
export function serverUser(dataDir: string): ServerUser {
  if (process.getuid?.() !== 0) return {};
  if (!existsSync(dataDir)) return nobody;
  const { uid, gid } = statSync(dataDir);
  return uid === 0 ? nobody : { uid, gid };
}

export function giveTo(user: ServerUser, path: string): void {
  if (typeof user.uid === 'number') chownSync(path, user.uid, user.gid);
}

/** Throws a plain sentence that names the first folder on the way to `path` which the server's user can't enter. */
export function assertReachable(user: ServerUser, path: string): void {
  if (typeof user.uid !== 'number') return;
  for (let dir = dirname(realpathSync(path)); ; dir = dirname(dir)) {
    const { uid, gid, mode } = statSync(dir);
    const needed = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if ((mode & needed) === 0) {
      throw new EmbeddedPostgresError(
        `PostgreSQL can't run as root, and as user ${user.uid} it can't enter ${dir}, which it needs for ${path}: ` +
          `run \`chmod o+x ${dir}\`, start as an ordinary user, or move the folder to a place everyone may enter.`,
      );
    }
    if (dir === dirname(dir)) return;
  }
}
