import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CsvMapping } from '@finhook/bank-files';
import type { Environment } from './env.ts';
import { Failure } from './failure.ts';
import { writePrivateFile } from './profiles.ts';

export interface SavedMapping {
  headers: readonly string[];
  mapping: Partial<CsvMapping> & Pick<CsvMapping, 'columns'>;
}

type Mappings = Readonly<Record<string, SavedMapping>>;

function mappingsPath({ configFolder }: Environment): string {
  return join(configFolder, 'csv-mappings.json');
}

function asMappings(json: unknown): Mappings {
  return json as Mappings;
}

export function readMappings(env: Environment): ReadonlyMap<string, SavedMapping> {
  const path = mappingsPath(env);
  if (!existsSync(path)) return new Map();
  try {
    return new Map(Object.entries(asMappings(JSON.parse(readFileSync(path, 'utf8')))));
  } catch {
    throw new Failure(`${path} cannot be read as finhook wrote it. Restore it, or remove it: it has the CSV mappings.`);
  }
}

export function saveMapping(env: Environment, name: string, saved: SavedMapping): void {
  const all = Object.fromEntries(new Map([...readMappings(env), [name, saved]]));
  writePrivateFile(mappingsPath(env), `${JSON.stringify(all, null, 2)}\n`);
}
