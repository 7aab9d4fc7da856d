import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** A file that only its user can read, until it is complete. */
export interface Draft {
  fd: number;
  /** Renames the closed file, replacing a file or a link of that name. */
  commit: () => void;
  discard: () => void;
}

/** Opens a new file in the same folder with a random name, and follows no link that another user may have put there. */
export function openDraft(path: string): Draft {
  const draft = `${path}.${randomUUID()}.part`;
  const fd = openSync(draft, 'wx', 0o600);
  return {
    fd,
    commit: () => renameSync(draft, path),
    discard: () => rmSync(draft, { force: true }),
  };
}

/** Writes a file that only its user can read, atomically. */
export function writePrivate(path: string, text: string): void {
  const draft = openDraft(path);
  try {
    try {
      writeFileSync(draft.fd, text);
      // Before the rename, so that a power failure leaves the previous file, if any, or the complete new one.
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
