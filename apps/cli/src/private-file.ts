import { renameSync, writeFileSync } from 'node:fs';

/** Writes a file that only its user can read. It is renamed from a draft: no reader sees half of it. */
export function writePrivate(path: string, text: string): void {
  const draft = `${path}.${process.pid}`;
  // Flushed before the rename: after a power failure the file is complete or absent.
  writeFileSync(draft, text, { mode: 0o600, flush: true });
  renameSync(draft, path);
}
