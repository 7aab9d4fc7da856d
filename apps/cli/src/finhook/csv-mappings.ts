import { join } from 'node:path';
import type { CsvMapping } from '@finhook/bank-files';
import type { Environment } from './env.ts';
import { readJsonFile, writeJsonFile } from './profiles.ts';

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
  return new Map(Object.entries(readJsonFile(mappingsPath(env), asMappings, ': it has the CSV mappings') ?? {}));
}

export function saveMapping(env: Environment, name: string, saved: SavedMapping): void {
  writeJsonFile(mappingsPath(env), Object.fromEntries(new Map([...readMappings(env), [name, saved]])));
}
