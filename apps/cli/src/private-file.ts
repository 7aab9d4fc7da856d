import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** A file that only its user can read, until it is complete under another name. */
export interface Draft {
  /** Open for writing. */
  fd: number;
  /** Gives the file, which is closed, its name. A file or a link of that name is replaced, not followed. */
  commit: () => void;
  /** Removes the file. */
  discard: () => void;
}

/**
 * Opens a new file beside the path. Its name can't be guessed and must be free: a link that another user of the folder
 * has put there is not followed.
 */
export function openDraft(path: string): Draft {
  const draft = `${path}.${randomUUID()}.part`;
  const fd = openSync(draft, 'wx', 0o600);
  return {
    fd,
    commit: () => renameSync(draft, path),
    discard: () => rmSync(draft, { force: true }),
  };
}

/** Writes a file that only its user can read. It is renamed from a draft: no reader sees half of it. */
export function writePrivate(path: string, text: string): void {
  const draft = openDraft(path);
  try {
    try {
      writeFileSync(draft.fd, text);
      // After a power failure the file is complete or absent.
      fsyncSync(draft.fd);
    } finally {
      closeSync(draft.fd);
    }
    draft.commit();
  } catch (error) {
    draft.discard();
    throw error;
  }
}
