import type { OpenList } from '../../operations/list-reader.ts';

const FIRST_ROWS = 50;
/** No page of an export is larger than one that a caller may ask for. */
const MOST_ROWS = 200;
const PAGE_CHARACTERS = 256 * 1024;

/**
 * All rows of a list as text, page by page: the next page is read when the last one was taken, and between two pages
 * nothing is held, no connection and no transaction. Ends at the row that was last when it began, so that a reader who
 * is slower than the writers comes to an end too.
 */
export async function* streamList(
  list: OpenList,
  encode: (records: readonly object[]) => string,
): AsyncGenerator<string, void, undefined> {
  const { order, read } = list;
  const last = await read({ limit: 1, order: order === 'asc' ? 'desc' : 'asc', after: undefined });
  const until = last.next_cursor ?? undefined;
  let after = list.after;
  for (let limit = FIRST_ROWS; ; ) {
    const { data, has_more, next_cursor } = await read({ limit, order, after, until });
    const text = encode(data);
    yield text;
    if (!has_more || next_cursor === null) return;
    after = next_cursor;
    limit = nextRows(data.length, text.length);
  }
}

/** Rows of the next page: about as many as make its share of text, judged by the last page. */
function nextRows(rows: number, characters: number): number {
  const fitting = Math.floor((PAGE_CHARACTERS * rows) / Math.max(characters, 1));
  return Math.max(1, Math.min(fitting, MOST_ROWS, rows * 2));
}
