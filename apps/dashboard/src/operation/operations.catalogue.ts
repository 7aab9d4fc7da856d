/** Parts of the operations table that every page needs. Evaluated at build time: the bundle contains no schemas. */
import { catalogue, derivedFrom, jobEvents, type MutationId, systemActions } from '@finhook/contracts/catalogue';

const entries = catalogue();

export const emits: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  entries.filter(({ kind }) => kind === 'mutation').map((entry) => [entry.id, entry.emits]),
);

/** The permission that a limited key needs, by mutation. */
export const permissions: Readonly<Partial<Record<MutationId, string>>> = Object.fromEntries(
  entries.flatMap(({ id, permission }) => (permission === undefined ? [] : [[id, permission]])),
);

/** Their input or output contains a secret, which leaves memory once it is no longer visible. */
export const secrets: readonly string[] = entries.filter(({ secret }) => secret).map(({ id }) => id);

export const loggedActions: readonly string[] = [...Object.keys(emits), ...systemActions].sort();

export { derivedFrom, jobEvents };
