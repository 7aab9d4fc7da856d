// Risk: a long list repeats rows, ends too early, or keeps outdated pages while rows arrive.
import { expect, test } from 'vitest';
import {
  countRows,
  createIndex,
  extendIndex,
  type ListPage,
  newsOf,
  type PageIndex,
  pageOfRow,
} from './keyset-rows.ts';

const SIZE = 3;

function pageOf(list: readonly string[], after: string | undefined): ListPage<string> {
  // Newest first: the page after a cursor holds the rows that sort below it, even if the cursor's row was deleted.
  const rest = after === undefined ? list : list.filter((row) => row < after);
  const data = rest.slice(0, SIZE);
  const has_more = rest.length > SIZE;
  return { data, has_more, next_cursor: has_more ? (data.at(-1) ?? null) : null };
}

const rows = (from: number, to: number): string[] =>
  Array.from({ length: from - to + 1 }, (_, i) => String(from - i).padStart(4, '0'));

function load(index: PageIndex, list: readonly string[], first: number, last: number): PageIndex {
  for (let now = index; ; ) {
    const from = Math.min(first, now.cursors.length - 1);
    const pages = now.cursors.slice(from, last + 1).map((after) => pageOf(list, after));
    const next = extendIndex(now, from, pages);
    if (next === now) return now;
    now = next;
  }
}

const read = (index: PageIndex, list: readonly string[]): string[] =>
  index.cursors.flatMap((after) => pageOf(list, after).data);

test.each([0, 1, 2, 3, 4, 6, 7, 300])('a list of %d rows loads to its end, each row once', (length) => {
  const list = rows(length, 1);
  let index = createIndex('all');
  for (let page = 0; index.end === undefined; page++) index = load(index, list, page, page);
  expect(countRows(index)).toBe(length);
  expect(read(index, list)).toEqual(list);
});

test('a page that was loaded before returns the same index, so nothing renders again', () => {
  const list = rows(10, 1);
  const index = load(createIndex('all'), list, 0, 9);
  expect(index.end).toBe(1);
  for (const [i, after] of index.cursors.entries()) expect(extendIndex(index, i, [pageOf(list, after)])).toBe(index);
  expect(extendIndex(index, 1, [undefined, pageOf(list, index.cursors[2])])).toBe(index);
});

test('new rows at the top shift the pages below, which load again when they are in view', () => {
  const before = rows(12, 1);
  const index = load(createIndex('all'), before, 0, 9);
  const after = ['0013', ...before];
  const top = load(index, after, 0, 0);
  expect(top).toEqual({ name: 'all', cursors: [undefined, '0011'], starts: [0, 3], end: undefined });
  expect(read(load(top, after, 0, 9), after)).toEqual(after);
});

test('a reader in the middle of a list is not moved by new rows above', () => {
  const before = rows(30, 1);
  const index = load(createIndex('all'), before, 0, 6);
  const after = ['0031', ...before];
  expect(load(index, after, 4, 6)).toBe(index);
});

test('a list follows rows that are added or removed at its end', () => {
  const short = rows(8, 4);
  const index = load(createIndex('all'), short, 0, 9);
  expect([index.cursors.length, index.end]).toEqual([2, 2]);
  const long = rows(8, 1);
  expect(read(load(index, long, 1, 9), long)).toEqual(long);
  const whole = load(createIndex('all'), long, 0, 9);
  const cut = load(whole, rows(8, 6), 0, 9);
  expect([cut.cursors, cut.end]).toEqual([[undefined], 3]);
});

test('a last page that is exactly full is the last one', () => {
  const index = load(createIndex('all'), rows(6, 1), 0, 9);
  expect([index.cursors.length, index.end]).toEqual([2, 3]);
  expect(countRows(index)).toBe(6);
});

test('a page with fewer rows than its limit is followed by the next, and each row keeps its index', () => {
  const list = rows(20, 1);
  const short = (after: string | undefined): ListPage<string> => {
    const { data } = pageOf(list, after);
    const cut = data.slice(0, data.findIndex((row) => row.endsWith('5')) + 1 || data.length);
    const has_more = cut.at(-1) !== list.at(-1);
    return { data: cut, has_more, next_cursor: has_more ? (cut.at(-1) ?? null) : null };
  };
  let index = createIndex('all');
  for (let page = 0; index.end === undefined; page++) index = extendIndex(index, page, [short(index.cursors[page])]);
  expect(countRows(index)).toBe(20);
  const placed = list.map((_, row) => {
    const page = pageOfRow(index, row);
    return short(index.cursors[page]).data[row - (index.starts[page] ?? 0)];
  });
  expect(placed).toEqual(list);
});

test('new rows are those before the first shown one, even if some shown rows were deleted', () => {
  const list = (ids: string, has_more = false) => ({
    data: ids.split('').map((id) => ({ id })),
    has_more,
    next_cursor: null,
  });
  expect(newsOf(undefined, list('cba'))).toEqual({ count: 0, isMore: false });
  expect(newsOf(list('cba'), list('cba'))).toEqual({ count: 0, isMore: false });
  expect(newsOf(list('edcba'), list('cba'))).toEqual({ count: 2, isMore: false });
  expect(newsOf(list('ba'), list('cba'))).toEqual({ count: 0, isMore: false });
  expect(newsOf(list('gfe', true), list('cba'))).toEqual({ count: 3, isMore: true });
});
