import { hashKey, type UseQueryOptions, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';

export interface ListPage<Row> {
  data: readonly Row[];
  has_more: boolean;
  next_cursor: string | null;
}

/** Returns the query options of one page: `trpc.<list>.queryOptions({ ...filters, ...page })`. */
type PageQuery<Row> = (page: { limit: number; after: string | undefined }) => {
  queryKey: readonly unknown[];
  queryFn?: ((context: never) => ListPage<Row> | Promise<ListPage<Row>>) | symbol;
};

function asPageOptions<Row>(options: ReturnType<PageQuery<Row>>): UseQueryOptions<ListPage<Row>> {
  return options as UseQueryOptions<ListPage<Row>>;
}

export interface KeysetRows<Row> {
  name: string;
  /** Number of rows known so far; a row is `undefined` while its page loads. */
  count: number;
  /** Number of rows after `count` whose page is loading; some may not exist. */
  ahead: number;
  rowAt: (index: number) => Row | undefined;
  hasMore: boolean;
  isLoading: boolean;
  isFetching: boolean;
  error: unknown;
  retry: () => void;
  show: (first: number, last: number) => void;
  /** New rows at the top that are not shown while the top is held; `isMore` if there are more than `count`. */
  news: { count: number; isMore: boolean };
  /** While the user is away from the top, new rows are counted instead of shifting the visible ones. */
  hold: (isAway: boolean) => void;
}

const PAGE = 100;
const MAX_NEWS = 50;
/** Cache time of pages out of view. Their cursors stay, so they can be loaded again. */
const CACHE_MS = 5_000;

export interface PageIndex {
  name: string;
  cursors: readonly (string | undefined)[];
  /** `starts[i]` is the number of rows before page i. A page of large rows holds fewer rows than its limit. */
  starts: readonly number[];
  end: number | undefined;
}

export function createIndex(name: string): PageIndex {
  return { name, cursors: [undefined], starts: [0], end: undefined };
}

/**
 * Adds the cursors and sizes of pages `from` onwards. If a page's last row changed, later entries load again. Returns
 * the same object if nothing changed.
 */
export function extendIndex<Row>(
  index: PageIndex,
  from: number,
  pages: readonly (ListPage<Row> | undefined)[],
): PageIndex {
  for (const [i, page] of pages.entries()) {
    if (!page) break;
    const place = from + i + 1;
    const next = page.has_more ? (page.next_cursor ?? undefined) : undefined;
    const end = next === undefined ? page.data.length : undefined;
    const start = (index.starts[place - 1] ?? 0) + page.data.length;
    const known =
      next === undefined
        ? index.end === end && index.cursors.length === place
        : index.cursors[place] === next && index.starts[place] === start;
    if (known) continue;
    const [cursors, starts] = [index.cursors.slice(0, place), index.starts.slice(0, place)];
    if (next === undefined) return { name: index.name, cursors, starts, end };
    return { name: index.name, cursors: [...cursors, next], starts: [...starts, start], end };
  }
  return index;
}

export function countRows({ starts, end }: PageIndex): number {
  return (starts.at(-1) ?? 0) + (end ?? 0);
}

export function pageOfRow({ starts }: PageIndex, row: number): number {
  return Math.max(
    starts.findLastIndex((start) => start <= row),
    0,
  );
}

/**
 * Loads a keyset-paged list as the user scrolls; pages out of view leave memory. Infinite queries can't drop pages
 * without a cursor that goes backwards.
 */
export function useKeysetRows<Row extends { id: string }>(pageQuery: PageQuery<Row>, pageSize = PAGE): KeysetRows<Row> {
  const name = hashKey(pageQuery({ limit: pageSize, after: undefined }).queryKey);
  const { isHeld, changed, news, hold } = useHeldTop(name, pageQuery, pageSize);
  const [known, setIndex] = useState<PageIndex>(() => createIndex(name));
  const [view, setView] = useState({ name, first: 0, last: 0 });
  const index = known.name === name ? known : createIndex(name);
  const { first, last } = view.name === name ? view : { first: 0, last: 0 };
  const from = pageOfRow(index, first);
  const to = pageOfRow(index, last + pageSize / 2);
  const pages = useQueries({
    queries: index.cursors.slice(from, to + 1).map((after) => ({
      ...asPageOptions(pageQuery({ limit: pageSize, after })),
      gcTime: CACHE_MS,
      ...(after === undefined && isHeld && { enabled: false }),
    })),
  });

  const grown = extendIndex(
    index,
    from,
    pages.map((page) => page.data),
  );
  useEffect(() => {
    if (grown !== known) setIndex(grown);
  }, [grown, known]);

  const failed = pages.find((page) => page.isError && page.data === undefined);
  const hasMore = index.end === undefined;
  const show = useCallback(
    (top: number, bottom: number) =>
      setView((now) =>
        now.name === name && now.first === top && now.last === bottom ? now : { name, first: top, last: bottom },
      ),
    [name],
  );
  return {
    name,
    count: countRows(index),
    ahead: hasMore && !failed ? pageSize : 0,
    rowAt(row) {
      const page = pageOfRow(index, row);
      const stored = pages[page - from]?.data?.data[row - (index.starts[page] ?? 0)];
      return stored && (changed.get(stored.id) ?? stored);
    },
    hasMore,
    isLoading: index.cursors.length === 1 && hasMore && !failed,
    isFetching: pages.some((page) => page.isFetching),
    error: failed?.error,
    retry: () => void failed?.refetch(),
    show,
    news,
    hold,
  };
}

/** Keeps the first page unchanged while the user is away from it, and loads its newer version separately. */
function useHeldTop<Row extends { id: string }>(name: string, pageQuery: PageQuery<Row>, pageSize: number) {
  const client = useQueryClient();
  const [held, setHeld] = useState<string>();
  const isHeld = held === name;
  // A list that is shown again starts at its top.
  if (held !== undefined && !isHeld) setHeld(undefined);
  const options = asPageOptions(pageQuery({ limit: pageSize, after: undefined }));
  const first = useQuery({ ...options, enabled: false, refetchInterval: false });
  const newest = useQuery({ ...asPageOptions(pageQuery({ limit: MAX_NEWS, after: undefined })), enabled: isHeld });
  const rows = isHeld ? newest.data : undefined;
  return {
    isHeld,
    changed: new Map(rows?.data.map((row) => [row.id, row])),
    news: newsOf(rows, first.data),
    hold: (isAway: boolean): void => {
      if (isAway === isHeld) return;
      setHeld(isAway ? name : undefined);
      if (!isAway) void client.invalidateQueries({ queryKey: options.queryKey, exact: true });
    },
  };
}

export function newsOf<Row extends { id: string }>(
  newest: ListPage<Row> | undefined,
  shown: ListPage<Row> | undefined,
): KeysetRows<Row>['news'] {
  if (newest === undefined || shown === undefined) return { count: 0, isMore: false };
  const known = new Set(shown.data.map(({ id }) => id));
  const place = newest.data.findIndex(({ id }) => known.has(id));
  return place === -1 ? { count: newest.data.length, isMore: newest.has_more } : { count: place, isMore: false };
}
