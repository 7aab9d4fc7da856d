import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const nodeOptions = {
  api: { file: 'Dockerfile', pattern: /^(?:ENV)? +NODE_OPTIONS=(\S+)/m },
  worker: { file: 'docker-compose.yml', pattern: /^ {2}worker:\n(?: {4}.*\n)*? {6}NODE_OPTIONS: (\S+)/m },
};

/**
 * What the container of a service sets for Node, so that processes are measured as they are shipped. Compiled code is
 * kept in `codeFolder` instead of in the image.
 */
export function imageSettings(service: keyof typeof nodeOptions, codeFolder: string): Record<string, string> {
  const { file, pattern } = nodeOptions[service];
  const options = pattern.exec(readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8'))?.[1];
  if (options === undefined) throw new Error(`${file} sets no NODE_OPTIONS for the ${service}.`);
  return { NODE_OPTIONS: options, NODE_COMPILE_CACHE: codeFolder };
}

/** Starts a program once without its configuration: it ends with an error, and its code is kept, as in the image. */
export async function keepCode(settings: Record<string, string>, program: URL): Promise<void> {
  await promisify(execFile)(process.execPath, [fileURLToPath(program)], { env: settings }).catch(() => undefined);
}
