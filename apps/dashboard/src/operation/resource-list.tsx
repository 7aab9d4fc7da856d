import type { OperationId } from '@finhook/contracts/catalogue';
import { Link, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { getUntypedClient } from '@trpc/client';
import type { ReactNode } from 'react';
import { sentenceCase } from '../components/badge.tsx';
import { DataTable } from '../components/data-table.tsx';
import { ExportMenu } from '../components/links.tsx';
import { ActionMenu } from '../components/menu.tsx';
import { Panel } from '../components/page.tsx';
import { EmptyState, ErrorState } from '../components/states.tsx';
import { rowLink } from '../components/table-cells.tsx';
import type { Column, Sort } from '../components/table-head.tsx';
import { type KeysetRows, type ListPage, useKeysetRows } from '../lib/keyset-rows.ts';
import { fileOrder, nextOrder, orderOf, orderSearch } from '../lib/list-order.ts';
import { partOf, readsMany } from '../lib/refetch-changed.ts';
import { visibleText } from '../lib/text.ts';
import { type Input, type Output, useTRPCClient } from '../lib/trpc.ts';
import { useStoredNames } from '../lib/use-stored-names.ts';
import { filters as catalogueFilters, listPaths } from './fields.catalogue.ts';
import { ListFilters, type ListFiltersProps } from './list-filters.tsx';

declare module '@tanstack/react-router' {
  interface HistoryState {
    opened?: boolean;
  }
}

/** Navigation that opens a record next to its list: Back closes it, and the list keeps its scroll position. */
export const opening = { replace: false, resetScroll: false, state: { opened: true } } as const;

/** Navigation from one open record to the next: Back still leads to the list. */
export const movingOn = { replace: true, resetScroll: false, state: true } as const;

const replacing = { replace: true, resetScroll: false } as const;

export type Step = typeof opening | typeof movingOn | typeof replacing | { replace: false };

/** Closes a record: goes back if opening it added a history entry, so that Back is not needed twice; else calls `close`. */
export function useClosePanel(close: () => void): () => void {
  const { history } = useRouter();
  // The user pressed the close button, so there is no confirmation.
  return () => (history.location.state.opened === true ? history.back({ ignoreBlocker: true }) : close());
}

/** Narrows a URL value without checking it: the service validates it. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- one cast for all lists and their values
export function asFilter<Value extends string>(text: string | undefined): Value | undefined {
  return text as Value | undefined;
}

export type ListId = Extract<OperationId, `${string}.list`>;
type RowOf<List extends ListId> = Output<List> extends { data: ReadonlyArray<infer Row> } ? Row : never;

type Search = Readonly<Record<string, string | undefined>>;

function asSearch(search: object): Search {
  return search as Search;
}

function asPage<Row>(page: unknown): ListPage<Row> {
  return page as ListPage<Row>;
}

/** The service validates the filters of the URL. */
function asInput<List extends ListId>(query: object): Input<List> {
  return query as Input<List>;
}

/** An order other than the default reads all rows of the filters for each page. */
function readsAll(query: object): boolean {
  return 'sort' in query && query.sort !== undefined;
}

type RefetchInterval<List extends ListId> = (rows: ReadonlyArray<RowOf<List>>) => number | false;

export function useListRows<List extends ListId>(
  list: List,
  query: object,
  pageSize: number | undefined,
  refetchInterval: RefetchInterval<List> | undefined,
): KeysetRows<RowOf<List> & { id: string }> {
  const api = getUntypedClient(useTRPCClient());
  return useKeysetRows((page) => {
    const input = { ...query, ...page };
    return {
      queryKey: [readsAll(query) ? list : list.split('.'), { input, type: 'query' }],
      ...(readsAll(query) && { meta: readsMany(partOf(list)) }),
      queryFn: async () => asPage<RowOf<List> & { id: string }>(await api.query(list, input)),
      ...(refetchInterval && {
        refetchInterval: ({ state }: { state: { data?: ListPage<RowOf<List>> } }) =>
          refetchInterval(state.data?.data ?? []),
      }),
    };
  }, pageSize);
}

export function useListSearch(): { search: Search; setSearch: (change: Search, step?: Step) => void } {
  const navigate = useNavigate();
  return {
    search: asSearch(useSearch({ strict: false })),
    setSearch: (change, step = replacing) =>
      void navigate({ to: '.', search: (search: object) => ({ ...search, ...change }), ...step }),
  };
}

type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

export interface ResourceListProps<List extends ListId> {
  list: List;
  fixed: Partial<Input<List>>;
  /** Plural name of the rows: "No flags match the filters". */
  noun: string;
  /** "All" and the noun by default. */
  title?: string;
  filters?: ListFiltersProps['filters'];
  /** Converts search parameters to query filters, which the service validates, or says why that is impossible. */
  toQuery?: (search: Search) => Query | { fault: string };
  /** `spreadsheet`: the list also has a file for people. */
  exports?: boolean | 'spreadsheet';
  columns: ReadonlyArray<Column<RowOf<List> & { id: string }>>;
  /** Offers a choice of columns, which the browser remembers. */
  choosesColumns?: boolean;
  /** Stands between the title and the rows. It gets the filters that are set. */
  head?: (query: Input<List>) => ReactNode;
  actions?: ReactNode;
  /** Polling interval in ms, for changes that no event reports. */
  refetchInterval?: RefetchInterval<List>;
  empty: { title: string; text?: ReactNode; filtered?: ReactNode };
  detail?: (id: string, close: () => void) => ReactNode;
  rowHeight?: number;
  height?: string;
  pageSize?: number;
}

export function ResourceList<List extends ListId>(props: ResourceListProps<List>): React.JSX.Element {
  const { list, fixed, noun, title = `All ${noun}`, filters = {}, toQuery, actions, exports, detail } = props;
  const { columns, chooser } = useColumns(props);
  const { search, setSearch } = useListSearch();
  const close = useClosePanel(() => setSearch({ open: undefined }));
  const names = Object.keys(filters);
  const set = Object.fromEntries(names.map((name) => [name, search[name]]));
  const sorts = props.columns.flatMap(({ sort = [] }) => sort);
  const order = orderOf(sorts, search);
  const filtered = toQuery ? toQuery(set) : set;
  const query = order ? { ...filtered, ...orderSearch(sorts, order) } : filtered;
  const fault = 'fault' in query && typeof query.fault === 'string' ? query.fault : undefined;
  const shown = search['open'];
  return (
    <>
      {names.length > 0 && (
        <ListFilters values={catalogueFilters[list] ?? {}} {...{ noun, filters, search, setSearch }} />
      )}
      <Panel
        title={title}
        flush
        actions={
          <>
            {actions}
            {chooser}
            {exports && fault === undefined && (
              <ExportMenu
                path={listPaths[list] ?? ''}
                input={{ ...fixed, ...query, ...(order && fileOrder(sorts, order)) }}
                what={`these ${noun}`}
                spreadsheet={exports === 'spreadsheet'}
              />
            )}
          </>
        }
      >
        {fault === undefined ? (
          <Rows
            {...props}
            columns={columns}
            query={query}
            sort={order && { ...order, onPress: (by) => setSearch(orderSearch(sorts, nextOrder(sorts, order, by))) }}
            isFiltered={names.some((name) => search[name] !== undefined)}
          />
        ) : (
          <div className="px-5 py-3">
            <ErrorState error={new Error(fault)} />
          </div>
        )}
      </Panel>
      {shown !== undefined && detail?.(shown, close)}
    </>
  );
}

function useColumns<List extends ListId>({ list, columns, choosesColumns = false }: ResourceListProps<List>) {
  const [changed, toggle] = useStoredNames(`columns of ${list}`);
  const isShown = ({ title, extra = false }: Column<RowOf<List> & { id: string }>): boolean =>
    extra === changed.has(title);
  const items = columns
    .filter(({ fixed }) => !fixed)
    .map((column) => ({ label: column.title, checked: isShown(column), onSelect: () => toggle(column.title) }));
  return {
    columns: columns.filter((column) => column.fixed === true || isShown(column)),
    // A phone has room for the fixed columns only.
    chooser: choosesColumns && (
      <span className="hidden md:inline">
        <ActionMenu label="Columns" items={items}>
          Columns
        </ActionMenu>
      </span>
    ),
  };
}

interface RowsProps<List extends ListId> extends ResourceListProps<List> {
  query: object;
  isFiltered: boolean;
  sort: Sort | undefined;
}

function Rows<List extends ListId>(props: RowsProps<List>): React.JSX.Element {
  const { list, fixed, noun, columns, empty, rowHeight, height, pageSize, query, isFiltered, sort, head } = props;
  const selection = { ...fixed, ...query };
  const rows = useListRows(list, selection, pageSize, props.refetchInterval);
  return (
    <>
      {rows.count > 0 && head?.(asInput<List>(selection))}
      <DataTable
        label={sentenceCase(noun)}
        rows={rows}
        columns={columns}
        keyOf={({ id }) => id}
        rowHeight={rowHeight}
        height={height}
        sort={sort}
        empty={
          isFiltered ? (
            <EmptyState title={`No ${noun} match the filters`}>
              {empty.filtered ?? 'Clear the filters to see all.'}
            </EmptyState>
          ) : (
            <EmptyState title={empty.title}>{empty.text}</EmptyState>
          )
        }
      />
    </>
  );
}

interface OpenLinkProps {
  id: string;
  /** The search parameter that names the open record. */
  as?: 'open' | 'filing';
  title?: string;
  className?: string;
  children: ReactNode;
}

export function OpenLink({
  id,
  as = 'open',
  title,
  className = `${rowLink} hover:underline`,
  children,
}: OpenLinkProps) {
  return (
    <Link
      to="."
      search={(search) => ({ ...search, [as]: id })}
      {...opening}
      preload={false}
      title={title}
      aria-haspopup="dialog"
      data-opens={id}
      className={className}
    >
      {children}
    </Link>
  );
}

export function OpenButton({ id, children }: { id: string; children: string }): React.JSX.Element {
  const { setSearch } = useListSearch();
  return (
    <button
      type="button"
      data-opens={id}
      onClick={() => setSearch({ open: id }, opening)}
      className={`${rowLink} line-clamp-2 rounded text-left text-accent hover:underline xl:block xl:max-w-full xl:truncate`}
    >
      {visibleText(children)}
    </button>
  );
}
