import type { Query, QueryClient } from '@tanstack/react-query';
import { derivedFrom, emits, jobEvents } from '../operation/operations.catalogue.ts';

const ALWAYS = ['activity', 'events', 'deliveries'];

export function partOf(id: string): string {
  return id.slice(0, id.lastIndexOf('.'));
}

function isRelated(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);
}

export type Change = { events: Iterable<string> } | { mutation: string; deletedId?: string | undefined };

/** The operations whose queries a change makes outdated: those that emit its events, the mutation's own, and derived ones. */
export function changedParts(change: Change): ReadonlySet<string> {
  const types = new Set('events' in change ? change.events : emits[change.mutation]);
  const isEmitted = (all: readonly string[]): boolean => all.some((type) => types.has(type));
  const emitting = Object.entries(emits).filter(([, all]) => isEmitted(all));
  const changed = new Set([
    ...('mutation' in change ? [partOf(change.mutation)] : []),
    ...emitting.map(([id]) => partOf(id)),
    ...Object.entries(jobEvents).flatMap(([part, all]) => (isEmitted(all) ? [part] : [])),
  ]);
  const derived = Object.entries(derivedFrom).filter(([, sources]) =>
    sources.some((source) => [...changed].some((part) => isRelated(part, source))),
  );
  return new Set([...ALWAYS, ...changed, ...derived.map(([part]) => part)]);
}

function reads({ queryKey: [path] }: Query, parts: ReadonlySet<string>): boolean {
  if (!Array.isArray(path)) return false;
  const own = partOf(path.join('.'));
  return [...parts].some((part) => isRelated(part, own));
}

/** Queries that events don't refetch name in `meta.changedBy` the operations whose calls by this page do. */
function isChangedBy({ meta }: Query, parts: ReadonlySet<string>): boolean {
  const part = meta?.['changedBy'];
  return typeof part === 'string' && parts.has(part);
}

function firstText(input: unknown): string | undefined {
  const first: unknown = typeof input === 'object' && input !== null ? Object.values(input).at(0) : undefined;
  return typeof first === 'string' ? first : undefined;
}

/** Queries with `meta.first` get at most this head start over the others. */
const FIRST_TURN_MS = 300;

/**
 * Refetches visible queries after a mutation of this page, and on call for events. A query in flight finishes first:
 * under steady events, a restarted query would never finish.
 */
export function createRefetchChanged(client: QueryClient): (change: Change) => Promise<void> {
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
  const refetch = async (change: Change): Promise<void> => {
    const parts = changedParts(change);
    const deletedId = 'mutation' in change ? change.deletedId : undefined;
    // A page that is closing may still show the deleted record.
    const isGone = ({ queryHash }: Query): boolean => deletedId !== undefined && queryHash.includes(deletedId);
    const queries = client.getQueryCache().findAll({
      predicate: (query) =>
        (reads(query, parts) || ('mutation' in change && isChangedBy(query, parts))) && !isGone(query),
    });
    const [first, rest] = [true, false].map((turn) =>
      queries.filter(({ meta }) => (meta?.['first'] === true) === turn),
    );
    const turn = new Promise((resolve) => setTimeout(resolve, FIRST_TURN_MS));
    await Promise.race([Promise.all((first ?? []).map(invalidate)), turn]);
    await Promise.all((rest ?? []).map(invalidate));
  };
  client.getMutationCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success') return;
    const [id] = event.mutation.options.mutationKey ?? [];
    if (typeof id !== 'string' || !Object.hasOwn(emits, id)) return;
    void refetch({
      mutation: id,
      deletedId: id.endsWith('.delete') ? firstText(event.mutation.state.variables) : undefined,
    });
  });
  return refetch;
}
