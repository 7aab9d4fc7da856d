import type { Query, QueryClient } from '@tanstack/react-query';
import { pathsOf } from './event-reads.ts';

/** What has the first turn (`meta.first` of a query) gets at most this long before the rest is read too. */
const FIRST_TURN_MS = 300;

function isUnder(path: unknown, paths: ReadonlySet<string>): boolean {
  return Array.isArray(path) && path.some((_, i) => paths.has(path.slice(0, i + 1).join('.')));
}

/**
 * Reads again what events changed, as far as it is in view. A read that is under way is let finish, because under steady
 * events one that is begun anew each time never would; it is then read once more.
 */
export function createRefetchChanged(client: QueryClient): (types: Iterable<string>) => Promise<void> {
  const waiting = new Set<string>();
  const invalidate = async (query: Query): Promise<void> => {
    if (query.state.fetchStatus !== 'fetching') {
      await client.invalidateQueries({ queryKey: query.queryKey, exact: true });
      return;
    }
    if (waiting.has(query.queryHash)) return;
    waiting.add(query.queryHash);
    await query.promise?.catch(() => undefined);
    waiting.delete(query.queryHash);
    await client.invalidateQueries({ queryKey: query.queryKey, exact: true });
  };
  return async (types) => {
    const paths = pathsOf(types);
    const queries = client.getQueryCache().findAll({ predicate: ({ queryKey }) => isUnder(queryKey[0], paths) });
    const [first, rest] = [true, false].map((turn) =>
      queries.filter(({ meta }) => (meta?.['first'] === true) === turn),
    );
    const turn = new Promise((resolve) => setTimeout(resolve, FIRST_TURN_MS));
    await Promise.race([Promise.all((first ?? []).map(invalidate)), turn]);
    await Promise.all((rest ?? []).map(invalidate));
  };
}
