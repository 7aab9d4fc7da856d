/** Kinds of records, by the prefix of their ids. Evaluated at build time, so that the bundle contains no schemas. */
import { catalogue, idNouns, pathIds } from '@finhook/contracts/catalogue';

/** Parameters in the path of each operation that reads one record. */
export const pathParameters: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  catalogue()
    .filter(({ id }) => id.endsWith('.get'))
    .map(({ id, http }) => [id, [...http.path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? [])]),
);

function readOf(prefix: string): string | undefined {
  const parameter = Object.entries(pathIds).find(([, kind]) => kind === prefix)?.[0];
  return catalogue().find(({ id, http }) => id.endsWith('.get') && http.path.endsWith(`{${parameter}}`))?.id;
}

/** Kinds that pages call different from the API, whose connections are the accounts of the pages. */
const ownNouns: Readonly<Record<string, string>> = {
  aap: 'agent request',
  apr: 'wire',
  bal: 'balance',
  conn: 'account',
  fin: 'statement',
  rts: 'checkpoint',
  syn: 'sync',
  we: 'endpoint',
};

interface RecordKind {
  noun: string;
  /** The operation that reads one, if there is one. */
  get: string | undefined;
}

export const recordKinds: Readonly<Record<string, RecordKind>> = Object.fromEntries(
  Object.entries(idNouns).map(([prefix, noun]) => [prefix, { noun: ownNouns[prefix] ?? noun, get: readOf(prefix) }]),
);
