import { readFileSync } from 'node:fs';

/** The version that every package of this repository has. */
export function serviceVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return String(Reflect.get(Object(manifest), 'version'));
}
