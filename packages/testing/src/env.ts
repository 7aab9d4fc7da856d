import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** NODE_COMPILE_CACHE for programs of tests, shared with the script `start`: compiling takes half of a start. */
export const compileCache = fileURLToPath(new URL('../../../node_modules/.cache/node', import.meta.url));

// The first has no window, and costs a third less.
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** CHROMIUM_PATH, or the first on the PATH. */
export function chromiumBinary(env: TestEnv = testEnv()): string | null {
  const found = names.flatMap((name) => env.searchPath.map((folder) => join(folder, name)));
  return firstExecutable(env.chromiumPath === null ? found : [env.chromiumPath]);
}

export function redisServerBinary(env: TestEnv = testEnv()): string | null {
  return firstExecutable(env.searchPath.map((folder) => join(folder, 'redis-server')));
}

function firstExecutable(paths: readonly string[]): string | null {
  const isExecutable = (path: string) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  };
  return paths.find(isExecutable) ?? null;
}

export interface TestEnv {
  /** The queue backends of this run; null for all that can be started. */
  readonly queueBackends: readonly string[] | null;
  /** A Chromium to use instead of one on the search path. */
  readonly chromiumPath: string | null;
  /** Folders with redis-server and chromium. */
  readonly searchPath: readonly string[];
}

/** Only this function reads the environment of tests. */
export function testEnv(source: NodeJS.ProcessEnv = process.env): TestEnv {
  return {
    queueBackends: source['QUEUE_BACKENDS']?.split(',') ?? null,
    chromiumPath: source['CHROMIUM_PATH'] || null,
    searchPath: (source['PATH'] ?? '').split(':').filter((folder) => folder !== ''),
  };
}
