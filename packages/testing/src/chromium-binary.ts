import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { type TestEnv, testEnv } from './env.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

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
