import { parseInstant } from '@finhook/contracts';
import { databaseErrorCode } from '../db/database-error.ts';
import { type IdPrefix, idTime } from '../ids/ids.ts';
import { DomainError } from '../verbs/domain-error.ts';

export interface PageInput {
  limit: number;
  after?: string | undefined;
  before?: string | undefined;
  order: 'asc' | 'desc';
  include?: 'total_count' | undefined;
  /** Cursor of the last row to return. Set by exports, not by callers. */
  until?: string | undefined;
  /** Runs a computation once for all pages of an export. */
  once?: Once | undefined;
}

type Once = <T>(compute: () => Promise<T>) => Promise<T>;

/** For one computation, whose first result each call returns. */
export function createOnce(): Once {
  let result: Promise<unknown> | undefined;
  return <T>(compute: () => Promise<T>) => asFirst<T>((result ??= compute()));
}

// Every call has the same computation.
function asFirst<T>(result: Promise<unknown>) {
  return result as Promise<T>;
}

/** A sort column: its SQL, its type, and how to read its value for the cursor. */
export interface SortColumn<Row> {
  sql: string;
  cast: string;
  read: (row: Row) => string;
  /** Rejects cursors of other lists and orders, whose text PostgreSQL may accept as this type. */
  pattern?: RegExp;
}

/** Sorts by id, and so by creation time. `prefix` is the id prefix, `sql` the column. */
export function byId(prefix: IdPrefix, sql = 'id'): SortColumn<{ id: string }> {
  return { sql, cast: 'text', read: (row) => row.id, pattern: new RegExp(`^${prefix}_`) };
}

export interface Page<Item> {
  object: 'list';
  data: Item[];
  has_more: boolean;
  next_cursor: string | null;
  prev_cursor: string | null;
  total_count?: number;
}

export function encodeCursor(parts: readonly string[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

function invalidCursor(): DomainError {
  return new DomainError('invalid_cursor', {
    detail: 'The cursor is not one that this list returned. Take next_cursor or prev_cursor from a page as it is.',
  });
}

export function decodeCursor(cursor: string, sort: readonly { pattern?: RegExp }[]): string[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    const fits = (part: unknown, i: number): part is string =>
      typeof part === 'string' && sort[i]?.pattern?.test(part) !== false;
    if (Array.isArray(parts) && parts.length === sort.length && parts.every(fits)) return parts;
  } catch {
    // Not JSON: invalid as well.
  }
  throw invalidCursor();
}

export interface TimeFilters {
  created_from?: string | undefined;
  created_to?: string | undefined;
  updated_since?: string | undefined;
}

const LAST_INSTANT = Date.UTC(9999, 11, 31);
/** Ids never go back, so after a clock step they may be ahead of `created_at` by this much. */
const CLOCK_STEP_MS = 3_600_000;

/** All rows are between 1970 and 9999. */
function withinYears(ms: number): number {
  return Math.min(Math.max(ms, 0), LAST_INSTANT);
}

/** A lower bound of the ids created at `ms` (milliseconds since the epoch) or later. */
export function leastId(prefix: IdPrefix, ms: number): string {
  return `${prefix}_${idTime(withinYears(ms - CLOCK_STEP_MS))}`;
}

/** An upper bound of the ids created before `ms`. */
export function idBeyond(prefix: IdPrefix, ms: number): string {
  return `${prefix}_${idTime(withinYears(ms + CLOCK_STEP_MS))}`;
}

export class Filters {
  /** Shared by the filters of one statement. */
  readonly values: unknown[];
  readonly #conditions: string[] = [];

  constructor(values: unknown[] = []) {
    this.values = values;
  }

  /** Adds `value` as a parameter and returns its placeholder. */
  bind(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  add(condition: string): void {
    this.#conditions.push(condition);
  }

  /** Adds `sql` with `?` replaced by the value's placeholder, unless the value is absent. */
  where(value: unknown, sql: string): void {
    if (value !== undefined && value !== null) this.add(sql.replaceAll('?', this.bind(value)));
  }

  /** Adds an equality condition per given field. `table` is a column prefix like `t.`. */
  whereEqual<T extends object>(input: T, fields: readonly (keyof T & string)[], table = ''): void {
    for (const field of fields) this.where(input[field], `${table}${field} = ?`);
  }

  whereContains(text: string | undefined, columns: readonly string[]): void {
    if (text !== undefined) this.where(likePattern(text), `(${columns.map((name) => `${name} ILIKE ?`).join(' OR ')})`);
  }

  /** Adds a condition on an RFC 3339 timestamp. PostgreSQL may not parse its offset or year. */
  whereInstant(value: string | undefined, sql: string): void {
    const ms = value === undefined ? undefined : parseInstant(value);
    if (ms !== undefined) this.where(new Date(withinYears(ms)).toISOString(), sql);
  }

  whereTimes(input: TimeFilters, table = ''): void {
    this.whereInstant(input.created_from, `${table}created_at >= ?`);
    this.whereInstant(input.created_to, `${table}created_at < ?`);
    this.whereInstant(input.updated_since, `${table}updated_at >= ?`);
  }

  /**
   * Like `whereTimes` for ids that sort by time: bounds on the ids limit the range of the index and the partitions.
   */
  whereIdTimes(prefix: IdPrefix, input: TimeFilters, table = ''): void {
    this.whereTimes(input, table);
    const [from, to] = [input.created_from, input.created_to].map((at) => at && parseInstant(at));
    if (typeof from === 'number') this.where(leastId(prefix, from), `${table}id >= ?`);
    if (typeof to === 'number') this.where(idBeyond(prefix, to), `${table}id < ?`);
  }

  get sql(): string {
    return this.#conditions.length === 0 ? 'true' : this.#conditions.join(' AND ');
  }
}

export function likePattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, (character) => `\\${character}`)}%`;
}

/** Maximum size of a page in bytes of rows: 128 MB for 32 concurrent requests. */
const PAGE_BYTES = 4 * 1024 * 1024;

interface RowsOf<Row> {
  select: string;
  from: string;
  filters: Filters;
  sort: readonly SortColumn<Row>[];
  bytes?: string;
}

/**
 * SQL for the first `limit` rows, or with `bytes` for those of them that fit a page, at least one: it doesn't read the
 * large values of the others, and returns the number of rows that it found in `page_rows`.
 */
function rowsSql<Row>({ select, from, filters, sort, bytes }: RowsOf<Row>, ascending: boolean, limit: string): string {
  const by = (columns: readonly string[]): string =>
    columns.map((column) => `${column} ${ascending ? 'ASC' : 'DESC'}`).join(', ');
  const rows = (columns: string): string =>
    `SELECT ${columns} FROM ${from} WHERE ${filters.sql} ORDER BY ${by(sort.map(({ sql }) => sql))} LIMIT ${limit}`;
  if (bytes === undefined) return rows(select);
  const keys = sort.map((_, i) => `page_key_${i}`);
  const measured = [select, `${bytes} AS page_bytes`, ...sort.map(({ sql }, i) => `${sql} AS ${keys[i]}`)];
  return `SELECT * FROM (
      SELECT *, count(*) OVER () AS page_rows, coalesce(sum(page_bytes) OVER (
        ORDER BY ${by(keys)} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS page_start
      FROM (${rows(measured.join(', '))}) found
    ) page WHERE page_start < ${PAGE_BYTES} ORDER BY ${by(keys)}`;
}

/**
 * Reads one page by keyset: rows after (or before) the cursor in the order of `sort`, whose columns together are
 * unique. With `bytes`, a page may end before its limit and still have a next one.
 */
export async function readPage<Row, Item>(
  options: RowsOf<Row> & {
    query: (sql: string, values: readonly unknown[]) => Promise<Row[]>;
    page: PageInput;
    toItem: (row: Row) => Item;
    /** For followed feeds: the last page also has a cursor, for later rows. */
    followable?: boolean;
  },
): Promise<Page<Item>> {
  const { filters, sort, page } = options;
  if (page.after !== undefined && page.before !== undefined) {
    throw new DomainError('invalid_cursor', { detail: 'Give either after or before, not both.' });
  }
  const cursor = page.after ?? page.before;
  // The count ignores the cursor, but runs after its validation.
  const counted = [
    `SELECT count(*)::int AS total FROM ${options.from} WHERE ${filters.sql}`,
    [...filters.values],
  ] as const;
  const left = sort.map((column) => column.sql).join(', ');
  const keep = (operator: string, at: string): void => {
    const parts = decodeCursor(at, sort);
    const right = sort.map((column, i) => `${filters.bind(parts[i])}::${column.cast}`).join(', ');
    filters.add(`(${left}) ${operator} (${right})`);
  };
  const backwards = page.before !== undefined;
  const ascending = (page.order === 'asc') !== backwards;
  if (cursor !== undefined) keep(ascending ? '>' : '<', cursor);
  if (page.until !== undefined) keep(ascending ? '<=' : '>=', page.until);
  const total = page.include === 'total_count' ? await options.query(...counted) : undefined;
  const limit = filters.bind(page.limit + 1);
  const rows = await options
    .query(rowsSql(options, ascending, limit), filters.values)
    .catch((error: unknown) => rejectBadCursor(error, cursor));
  const kept = rows.slice(0, page.limit);
  const more = (options.bytes === undefined ? rows.length : readNumber(rows[0], 'page_rows')) > kept.length;
  if (options.bytes !== undefined) kept.forEach(dropMeasures);
  if (backwards) kept.reverse();
  const cursorAt = (row: Row | undefined): string | null =>
    row === undefined ? null : encodeCursor(sort.map((column) => column.read(row)));
  const stay = options.followable ? (page.after ?? null) : null;
  // The row of the requested cursor is on its other side.
  const hasNext = more || backwards || options.followable;
  const hasPrevious = backwards ? more : page.after !== undefined;
  const result: Page<Item> = {
    object: 'list',
    data: kept.map(options.toItem),
    has_more: more,
    next_cursor: hasNext ? (cursorAt(kept.at(-1)) ?? stay) : null,
    prev_cursor: hasPrevious ? cursorAt(kept[0]) : null,
  };
  if (total?.[0] !== undefined) result.total_count = readNumber(total[0], 'total');
  return result;
}

// A forged cursor may have text that does not fit the column's type.
function rejectBadCursor(error: unknown, cursor: string | undefined): never {
  const code = databaseErrorCode(error);
  if (cursor !== undefined && code?.startsWith('22')) throw invalidCursor();
  throw error;
}

function dropMeasures(row: unknown): void {
  if (typeof row !== 'object' || row === null) return;
  for (const name of Object.keys(row)) if (name.startsWith('page_')) Reflect.deleteProperty(row, name);
}

function readNumber(row: unknown, column: string): number {
  return Number(Reflect.get(Object(row), column) ?? 0);
}

/**
 * Filters expiring records by `status` and `updated_at`. Pending rows count as expired from `expires_at` on, before a
 * job stores it.
 */
export function filterExpiring(
  filters: Filters,
  input: { status?: string | undefined; updated_since?: string | undefined },
  now: Date,
): void {
  const shown = (expired: string, stored: string): string =>
    `CASE WHEN status = 'pending' AND expires_at <= ${filters.bind(now.toISOString())} THEN ${expired} ELSE ${stored} END`;
  if (input.status !== undefined) filters.where(input.status, `${shown("'expired'", 'status')} = ?`);
  if (input.updated_since !== undefined) {
    filters.whereInstant(input.updated_since, `${shown('expires_at', 'updated_at')} >= ?`);
  }
}
