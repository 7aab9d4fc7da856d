import { hashKey, type UseQueryOptions, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';

/** A page of any list of the service. */
export interface ListPage<Row> {
  data: readonly Row[];
  has_more: boolean;
  next_cursor: string | null;
}

/** The query of one page: what `trpc.<list>.queryOptions({ ...filters, ...page })` gives. */
type PageQuery<Row> = (page: { limit: number; after: string | undefined }) => {
  queryKey: readonly unknown[];
  queryFn?: ((context: never) => ListPage<Row> | Promise<ListPage<Row>>) | symbol;
};

// The library's own type of the same options names every error and key; the rows are all that matters here.
function asPageOptions<Row>(options: ReturnType<PageQuery<Row>>): UseQueryOptions<ListPage<Row>> {
  return options as UseQueryOptions<ListPage<Row>>;
}

/** A list of any length, of which only the pages in view are held. */
export interface KeysetRows<Row> {
  /** The list with its filters; another name is another list. */
  name: string;
  /** Rows known so far; `undefined` at places whose page is on its way. */
  count: number;
  /** Places after `count` whose page is on its way: some of them may turn out to be empty. */
  ahead: number;
  rowAt: (index: number) => Row | undefined;
  /** Whether rows follow after `count`. */
  hasMore: boolean;
  isLoading: boolean;
  isFetching: boolean;
  error: unknown;
  retry: () => void;
  /** Tells which rows are in view, so that their pages are read. */
  show: (first: number, last: number) => void;
  /** Rows that came in at the top while it is held; `isMore` where there are more than counted. */
  news: { count: number; isMore: boolean };
  /** While the reader is away from the top, new rows are counted instead of moving what is read. */
  hold: (isAway: boolean) => void;
}

const PAGE = 100;
/** More new rows than this are counted as "50+". */
const MAX_NEWS = 50;
/** Pages that left the view are forgotten after this; their cursors stay, so they can be read again. */
const FORGET_MS = 5_000;

/** Where the pages of a list begin, as far as it was read. */
export interface PageBook {
  /** What the cursors belong to: the filters of the list. */
  name: string;
  /** `cursors[i]` is what page i comes after. */
  cursors: readonly (string | undefined)[];
  /** `starts[i]` is how many rows there are before page i: a page of large rows holds fewer than it was asked for. */
  starts: readonly number[];
  /** Rows of the last page, once it was read. */
  end: number | undefined;
}

/** What is known of a list before anything was read. */
export function openBook(name: string): PageBook {
  return { name, cursors: [undefined], starts: [0], end: undefined };
}

/**
 * What pages `from` on say of the book: the cursor after the last one, or its end. A page whose last row has changed
 * (rows came in above it) ends what is known after it: what follows is read anew. The same book when it says all that.
 */
export function growBook<Row>(book: PageBook, from: number, pages: readonly (ListPage<Row> | undefined)[]): PageBook {
  for (const [i, page] of pages.entries()) {
    if (!page) break;
    const place = from + i + 1;
    const next = page.has_more ? (page.next_cursor ?? undefined) : undefined;
    const end = next === undefined ? page.data.length : undefined;
    const start = (book.starts[place - 1] ?? 0) + page.data.length;
    const known =
      next === undefined
        ? book.end === end && book.cursors.length === place
        : book.cursors[place] === next && book.starts[place] === start;
    if (known) continue;
    const [cursors, starts] = [book.cursors.slice(0, place), book.starts.slice(0, place)];
    if (next === undefined) return { name: book.name, cursors, starts, end };
    return { name: book.name, cursors: [...cursors, next], starts: [...starts, start], end };
  }
  return book;
}

/** Rows that the book tells of. */
export function countRows({ starts, end }: PageBook): number {
  return (starts.at(-1) ?? 0) + (end ?? 0);
}

/** The page in which a row stands: the last one where it is known of none. */
export function pageOfRow({ starts }: PageBook, row: number): number {
  return Math.max(
    starts.findLastIndex((start) => start <= row),
    0,
  );
}

/**
 * Reads a keyset-paged list as it is scrolled through. Each page's cursor is noted when the page before it was read;
 * pages out of view leave memory. The query with other filters is another list, which begins at the top.
 */
export function useKeysetRows<Row extends { id: string }>(pageQuery: PageQuery<Row>, pageSize = PAGE): KeysetRows<Row> {
  const name = hashKey(pageQuery({ limit: pageSize, after: undefined }).queryKey);
  const { isHeld, changed, news, hold } = useHeldTop(name, pageQuery, pageSize);
  const [stored, setBook] = useState<PageBook>(() => openBook(name));
  const [view, setView] = useState({ name, first: 0, last: 0 });
  const book = stored.name === name ? stored : openBook(name);
  const { first, last } = view.name === name ? view : { first: 0, last: 0 };
  const from = pageOfRow(book, first);
  const to = pageOfRow(book, last + pageSize / 2);
  const pages = useQueries({
    queries: book.cursors.slice(from, to + 1).map((after) => ({
      ...asPageOptions(pageQuery({ limit: pageSize, after })),
      gcTime: FORGET_MS,
      ...(after === undefined && isHeld && { enabled: false }),
    })),
  });

  const grown = growBook(
    book,
    from,
    pages.map((page) => page.data),
  );
  useEffect(() => {
    if (grown !== stored) setBook(grown);
  }, [grown, stored]);

  const failed = pages.find((page) => page.isError && page.data === undefined);
  const hasMore = book.end === undefined;
  const show = useCallback(
    (top: number, bottom: number) =>
      setView((now) =>
        now.name === name && now.first === top && now.last === bottom ? now : { name, first: top, last: bottom },
      ),
    [name],
  );
  return {
    name,
    count: countRows(book),
    ahead: hasMore && !failed ? pageSize : 0,
    rowAt(index) {
      const page = pageOfRow(book, index);
      const row = pages[page - from]?.data?.data[index - (book.starts[page] ?? 0)];
      return row && (changed.get(row.id) ?? row);
    },
    hasMore,
    isLoading: book.cursors.length === 1 && hasMore && !failed,
    isFetching: pages.some((page) => page.isFetching),
    error: failed?.error,
    retry: () => void failed?.refetch(),
    show,
    news,
    hold,
  };
}

/** Holds the first page as it is while the reader is away from it, and reads what would have changed beside it. */
function useHeldTop<Row extends { id: string }>(name: string, pageQuery: PageQuery<Row>, pageSize: number) {
  const client = useQueryClient();
  const [held, setHeld] = useState<string>();
  const isHeld = held === name;
  const options = asPageOptions(pageQuery({ limit: pageSize, after: undefined }));
  // Only keeps the page in memory: read again, it would bring the new rows in.
  const first = useQuery({ ...options, enabled: false, refetchInterval: false });
  const newest = useQuery({ ...asPageOptions(pageQuery({ limit: MAX_NEWS, after: undefined })), enabled: isHeld });
  const rows = isHeld ? newest.data : undefined;
  return {
    isHeld,
    /** Held rows as they are now, by id. */
    changed: new Map(rows?.data.map((row) => [row.id, row])),
    news: newsOf(rows, first.data),
    hold: (isAway: boolean): void => {
      if (isAway === isHeld) return;
      setHeld(isAway ? name : undefined);
      if (!isAway) void client.invalidateQueries({ queryKey: options.queryKey, exact: true });
    },
  };
}

/** Rows of the newest page that stand before the first one that is shown. */
export function newsOf<Row extends { id: string }>(
  newest: ListPage<Row> | undefined,
  shown: ListPage<Row> | undefined,
): KeysetRows<Row>['news'] {
  if (newest === undefined || shown === undefined) return { count: 0, isMore: false };
  const known = new Set(shown.data.map(({ id }) => id));
  const place = newest.data.findIndex(({ id }) => known.has(id));
  return place === -1 ? { count: newest.data.length, isMore: newest.has_more } : { count: place, isMore: false };
}
