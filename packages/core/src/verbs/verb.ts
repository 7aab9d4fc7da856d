import type { Operation } from '@finhook/contracts';
import type { output } from 'zod';
import type { IdPrefix } from '../ids/ids.ts';
import {
  byId,
  Filters,
  type Page,
  type PageInput,
  readPage,
  type SortColumn,
  type TimeFilters,
} from '../lists/keyset.ts';
import type { Context } from './context.ts';

export type InputOf<O extends Operation> = output<O['input']>;

export type OutputOf<O extends Operation> = output<O['output']>;

export type Verb<O extends Operation> = (context: Context, input: InputOf<O>) => Promise<OutputOf<O>>;

/** A tree of verbs in the shape of `operations`. */
export type Handlers<T> = { readonly [K in keyof T]: T[K] extends Operation ? Verb<T[K]> : Handlers<T[K]> };

export type ListInput<O extends Operation> = InputOf<O> & PageInput & TimeFilters;
type ItemOf<O extends Operation> = OutputOf<O> extends { data: (infer Item)[] } ? Item : never;

export interface ListOptions<O extends Operation, Row, Found> {
  table: string | ((found: Found) => string);
  prefix: IdPrefix;
  select?: string | ((found: Found) => string);
  /** Default: by id, and so by time. */
  sort?: readonly SortColumn<Row>[] | ((input: ListInput<O>) => readonly SortColumn<Row>[]);
  bytes?: string;
  /** Prefix of the time columns, like `t.`. False if `filters` adds their conditions. */
  times?: string | false;
  /** Authorizes, and adds all conditions but the times'. The result is passed to `map`. */
  filters: (filters: Filters, context: Context, input: ListInput<O>) => Found | Promise<Found>;
  map: (row: Row, found: Found, context: Context) => ItemOf<O>;
}

/** For items that have more records, which are read for the whole page. */
interface PageOptions<O extends Operation, Row, Found> extends Omit<ListOptions<O, Row, Found>, 'map'> {
  mapPage: (rows: readonly Row[], found: Found, context: Context) => Promise<ItemOf<O>[]>;
}

export function listVerb<O extends Operation, Row extends { id: string }, Found = void>(
  options: ListOptions<O, Row, Found> | PageOptions<O, Row, Found>,
): (context: Context, input: ListInput<O>) => Promise<Page<ItemOf<O>>> {
  const { table, prefix, select = '*', sort = [byId(prefix)], times = '' } = options;
  return async (context, input) => {
    const filters = new Filters();
    const found = await options.filters(filters, context, input);
    if (times !== false) filters.whereTimes(input, times);
    const page = await readPage<Row, Row>({
      query: context.database.query,
      select: typeof select === 'string' ? select : select(found),
      from: typeof table === 'string' ? table : table(found),
      filters,
      sort: typeof sort === 'function' ? sort(input) : sort,
      ...(options.bytes === undefined ? {} : { bytes: options.bytes }),
      page: input,
      toItem: (row) => row,
    });
    const data =
      'map' in options
        ? page.data.map((row) => options.map(row, found, context))
        : await options.mapPage(page.data, found, context);
    return { ...page, data };
  };
}
