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

/**
 * Queries of many rows have a key of their own and name in `meta.changedBy` the operations that change them. Calls by this
 * page refetch them at once; events do at most once in `meta.eventsEveryMs`, and not at all without it.
 */
function isChangedBy({ meta }: Query, parts: ReadonlySet<string>): boolean {
  const part = meta?.['changedBy'];
  return typeof part === 'string' && parts.has(part);
}

const MANY_ROWS_MS = 15_000;

/** `meta` of a query that reads many rows. `part` is that of its operation. */
export function readsMany(part: string): { changedBy: string; eventsEveryMs: number } {
  return { changedBy: part, eventsEveryMs: MANY_ROWS_MS };
}

function eventsEveryMs({ meta }: Query): number | undefined {
  const ms = meta?.['eventsEveryMs'];
  return typeof ms === 'number' ? ms : undefined;
}

/** When the query may be read for an event again: what is in flight now may not have its change. */
function restOf({ state }: Query, everyMs: number, now: number): number {
  if (state.fetchStatus === 'fetching') return everyMs;
  return Math.max(0, Math.max(state.dataUpdatedAt, state.errorUpdatedAt) + everyMs - now);
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
export function createRefetchChanged(
  client: QueryClient,
  schedule: (run: () => void, ms: number) => void = setTimeout,
): (change: Change) => Promise<void> {
  const resting = new Set<string>();
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
  const invalidateRested = (query: Query): void => {
    const everyMs = eventsEveryMs(query);
    if (everyMs === undefined || resting.has(query.queryHash)) return;
    resting.add(query.queryHash);
    const run = (): void => {
      resting.delete(query.queryHash);
      void invalidate(query);
    };
    schedule(run, restOf(query, everyMs, Date.now()));
  };
  const refetch = async (change: Change): Promise<void> => {
    const parts = changedParts(change);
    if ('events' in change)
      for (const query of client.getQueryCache().findAll({ predicate: (one) => isChangedBy(one, parts) }))
        invalidateRested(query);
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
