import { readFileSync } from 'node:fs';

const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const version = String(Reflect.get(Object(manifest), 'version'));

/** The version of this release, as in the CHANGELOG: every package of the repository has the same. */
export function serviceVersion(): string {
  return version;
}
