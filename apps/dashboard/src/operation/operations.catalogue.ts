/**
 * Evaluated when the dashboard is built: the bundle holds the values of the exports, and no schema that they come from.
 * What every page needs of the operations table.
 */
import { catalogue, derivedFrom, jobEvents, type MutationId, systemActions } from '@finhook/contracts/catalogue';

const entries = catalogue();

/** Event types that each mutation emits, at once or later. */
export const emits: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  entries.filter(({ kind }) => kind === 'mutation').map((entry) => [entry.id, entry.emits]),
);

/** What a key that is narrowed to permissions must have, by mutation. */
export const permissions: Readonly<Partial<Record<MutationId, string>>> = Object.fromEntries(
  entries.flatMap(({ id, permission }) => (permission === undefined ? [] : [[id, permission]])),
);

/** Operations whose input or output holds a secret, which is kept in memory no longer than it is shown. */
export const secrets: readonly string[] = entries.filter(({ secret }) => secret).map(({ id }) => id);

/** What the `action` of the activity log can be. */
export const loggedActions: readonly string[] = [...Object.keys(emits), ...systemActions].sort();

export { derivedFrom, jobEvents };
