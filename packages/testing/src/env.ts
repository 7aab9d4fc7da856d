import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * NODE_COMPILE_CACHE for programs that tests start, the same folder as of the script `start`: compiling the sources is half
 * of what a start costs.
 */
export const compileCache = fileURLToPath(new URL('../../../node_modules/.cache/node', import.meta.url));

// The first has no window, and costs a third less.
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** Path of Chromium: CHROMIUM_PATH, or the first on the PATH; null when there is none. */
export function chromiumBinary(env: TestEnv = testEnv()): string | null {
  const found = names.flatMap((name) => env.searchPath.map((folder) => join(folder, name)));
  for (const path of env.chromiumPath === null ? found : [env.chromiumPath]) {
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // Not this one.
    }
  }
  return null;
}

export interface TestEnv {
  /** The queue backends that this run tests; null for all that can be started. */
  readonly queueBackends: readonly string[] | null;
  /** A Chromium to drive instead of one of the search path. */
  readonly chromiumPath: string | null;
  /** Folders that may hold the programs redis-server and chromium. */
  readonly searchPath: readonly string[];
}

/** The only place of the test tools that reads the environment. */
export function testEnv(source: NodeJS.ProcessEnv = process.env): TestEnv {
  return {
    queueBackends: source['QUEUE_BACKENDS']?.split(',') ?? null,
    chromiumPath: source['CHROMIUM_PATH'] || null,
    searchPath: (source['PATH'] ?? '').split(':').filter((folder) => folder !== ''),
  };
}
