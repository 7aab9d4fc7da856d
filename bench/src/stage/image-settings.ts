import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const dockerfile = new URL('../../../Dockerfile', import.meta.url);

/**
 * What the container image sets for Node, so that processes are measured as they are shipped. Compiled code is kept in
 * `codeFolder` instead of in the image.
 */
export function imageSettings(codeFolder: string): Record<string, string> {
  const options = /^ENV NODE_OPTIONS=(\S+)/m.exec(readFileSync(dockerfile, 'utf8'))?.[1];
  if (options === undefined) throw new Error('The Dockerfile sets no NODE_OPTIONS.');
  return { NODE_OPTIONS: options, NODE_COMPILE_CACHE: codeFolder };
}

/** Starts each program once without its configuration: it ends with an error, and its code is kept, as in the image. */
export async function keepCode(settings: Record<string, string>, programs: readonly URL[]): Promise<void> {
  for (const program of programs) {
    await promisify(execFile)(process.execPath, [fileURLToPath(program)], { env: settings }).catch(() => undefined);
  }
}
