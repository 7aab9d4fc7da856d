import { randomUUID } from 'node:crypto';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Replaces a folder with a complete draft. `drafts` is a folder on the same disk. Concurrent processes may finish in any
 * order.
 */
export function replaceFolder(folder: string, draft: string, drafts: string): void {
  for (let tries = 5; ; tries--) {
    const old = join(drafts, `old-${randomUUID()}`);
    try {
      renameSync(folder, old);
    } catch {
      // The folder is missing, or another process is moving it.
    }
    try {
      renameSync(draft, folder);
      return;
    } catch (error) {
      if (tries === 0) throw error;
    } finally {
      rmSync(old, { recursive: true, force: true });
    }
  }
}
