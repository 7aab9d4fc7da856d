import { type Context, createOnce } from '@finhook/core';
import type { TableEntry } from '../../operations/operation-table.ts';

export interface AnyPage {
  data: readonly object[];
  has_more: boolean;
  next_cursor: string | null;
}

export interface PageBounds {
  limit: number;
  order: 'asc' | 'desc';
  after?: string | undefined;
  until?: string | undefined;
}

export interface OpenList {
  order: 'asc' | 'desc';
  after: string | undefined;
  read: (page: PageBounds) => Promise<AnyPage>;
}

/** Reads the context for each page, because access may change during a long export. */
export function openList({ parse, verb }: TableEntry, raw: unknown, readContext: () => Promise<Context>): OpenList {
  const input = asListInput(parse(raw, []).input);
  // Shares the first result with all pages.
  const once = createOnce();
  return {
    order: input.order,
    after: input.after,
    read: async (page) => asPage(await verb(await readContext(), { ...input, ...page, once })),
  };
}

// `exportColumns` checked that it is a paged list.
function asListInput(input: unknown): { order: 'asc' | 'desc'; after?: string | undefined } {
  return input as { order: 'asc' | 'desc'; after?: string | undefined };
}

function asPage(output: unknown): AnyPage {
  return output as AnyPage;
}

const FIRST_ROWS = 50;
const MOST_ROWS = 200;
const PAGE_CHARACTERS = 256 * 1024;

/** Ends at the row that was last at the start, even if writers are faster. Holds no connection between pages. */
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

/** About `PAGE_CHARACTERS` at the size of the last rows. */
function nextRows(rows: number, characters: number): number {
  const fitting = Math.floor((PAGE_CHARACTERS * rows) / Math.max(characters, 1));
  return Math.max(1, Math.min(fitting, MOST_ROWS, rows * 2));
}
