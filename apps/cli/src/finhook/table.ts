import { readFileSync } from 'node:fs';
import type { CatalogueField } from '@finhook/contracts/catalogue';

export interface TableOperation {
  id: string;
  summary: string;
  description: string;
  method: string;
  /** Relative to `/api/v1`; `{name}` segments are inputs. */
  path: string;
  /** Inputs in the query string although the method has a body. */
  query: readonly string[];
  scopes: readonly string[];
  permission: string | undefined;
  emits: readonly string[];
  fields: readonly CatalogueField[];
}

export interface Table {
  /** By the first part of an operation's id. */
  groups: Readonly<Record<string, string>>;
  operations: readonly TableOperation[];
  /** Remedies by error code. */
  actions: Readonly<Record<string, string>>;
}

// Written by scripts/write-generated.ts; a test compares them.
function asTable(json: unknown): Table {
  return json as Table;
}

// The schemas take a second to load.
export const table = asTable(JSON.parse(readFileSync(new URL('table.gen.json', import.meta.url), 'utf8')));

export function operation(id: string): TableOperation {
  const found = table.operations.find((each) => each.id === id);
  if (!found) throw new Error(`There is no operation ${id}.`);
  return found;
}

export function pathFields({ path }: Pick<TableOperation, 'path'>): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

/** True for paged lists, which can be exported. */
export function isPaged({ method, fields }: TableOperation): boolean {
  return method === 'GET' && ['after', 'order'].every((name) => fields.some((field) => field.name === name));
}
