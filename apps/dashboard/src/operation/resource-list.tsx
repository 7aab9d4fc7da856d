import type { OperationId } from '@finhook/contracts/catalogue';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { getUntypedClient } from '@trpc/client';
import type { ReactNode } from 'react';
import { type KeysetRows, type ListPage, useKeysetRows } from '../data/keyset-rows.ts';
import { type Input, type Output, useTRPCClient } from '../data/trpc.ts';
import { sentenceCase } from '../ui/badge.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { FilterBar, FilterChoice, FilterText } from '../ui/filter-bar.tsx';
import { Panel } from '../ui/page.tsx';
import { EmptyState } from '../ui/states.tsx';
import { opening, replacing, type Step, useClosePanel } from '../ui/use-close-panel.ts';
import { filters as catalogueFilters } from './fields.catalogue.ts';

/** Operations that return pages. */
export type ListId = Extract<OperationId, `${string}.list`>;
type RowOf<List extends ListId> = Output<List> extends { data: ReadonlyArray<infer Row> } ? Row : never;

interface FilterOptions {
  label?: string;
  placeholder?: string;
  /** What the address has besides the values of the catalogue, or what these are called. */
  choices?: ReadonlyArray<string | readonly [value: string, label: string]>;
  /** What it is called to choose none. */
  none?: string;
  /** A control of its own. */
  slot?: (field: { value: string | undefined; onChange: (value: string | undefined) => void }) => ReactNode;
}

type Filters = Readonly<Record<string, FilterOptions>>;
type Search = Readonly<Record<string, string | undefined>>;

// Each page's route says which words its address keeps; all of them are text.
function asSearch(search: object): Search {
  return search as Search;
}

// The api answers each list with the page of its operation.
function asPage<Row>(page: unknown): ListPage<Row> {
  return page as ListPage<Row>;
}

/** The rows of a list: `query` holds the filters, as far as they are set. */
function useRows<List extends ListId>(list: List, query: object): KeysetRows<RowOf<List> & { id: string }> {
  const api = getUntypedClient(useTRPCClient());
  return useKeysetRows((page) => {
    const input = { ...query, ...page };
    return {
      queryKey: [list.split('.'), { input, type: 'query' }],
      queryFn: async () => asPage<RowOf<List> & { id: string }>(await api.query(list, input)),
    };
  });
}

/** How a page reads and changes its address. */
export function useListSearch(): { search: Search; setSearch: (change: Search, step?: Step) => void } {
  const navigate = useNavigate();
  return {
    search: asSearch(useSearch({ strict: false })),
    setSearch: (change, step = replacing) =>
      void navigate({ to: '.', search: (search: object) => ({ ...search, ...change }), ...step }),
  };
}

export interface ResourceListProps<List extends ListId> {
  list: List;
  /** Filters that the address does not have, such as the company. */
  fixed: Partial<Input<List>>;
  title: string;
  /** What the rows are called: "No flags match the filters". */
  noun: string;
  /** Controls by the word of the address, which is also the filter's name. */
  filters?: Filters;
  /** The filters of the query, where they are not the words of the address. */
  toQuery?: (search: Search) => Partial<Input<List>>;
  columns: (open: (id: string) => void) => ReadonlyArray<Column<RowOf<List> & { id: string }>>;
  actions?: ReactNode;
  /** Shown when there is nothing yet. */
  empty: { title: string; text?: ReactNode };
  /** The record whose id the address has as `open`. */
  detail?: (id: string, close: () => void) => ReactNode;
  rowHeight?: number;
}

/** A list with its filters in the address, and the opened record beside it. */
export function ResourceList<List extends ListId>(props: ResourceListProps<List>): React.JSX.Element {
  const { list, fixed, title, noun, filters = {}, toQuery, columns, actions, empty, detail, rowHeight } = props;
  const { search, setSearch } = useListSearch();
  const close = useClosePanel(() => setSearch({ open: undefined }));
  const names = Object.keys(filters);
  const set = Object.fromEntries(names.map((name) => [name, search[name]]));
  const rows = useRows(list, { ...fixed, ...(toQuery ? toQuery(set) : set) });
  const isSet = names.some((name) => search[name] !== undefined);
  const shown = search['open'];
  return (
    <>
      {names.length > 0 && (
        <FilterBar
          label={`Filter ${noun}`}
          isSet={isSet}
          onClear={() => setSearch(Object.fromEntries(names.map((name) => [name, undefined])))}
        >
          {Object.entries(filters).map(([name, options]) => (
            <Filter
              key={name}
              name={name}
              options={options}
              values={catalogueFilters[list]?.[name]}
              value={search[name]}
              onChange={(value) => setSearch({ [name]: value })}
            />
          ))}
        </FilterBar>
      )}
      <Panel title={title} flush actions={actions}>
        <DataTable
          label={sentenceCase(noun)}
          rows={rows}
          columns={columns((id) => setSearch({ open: id }, opening))}
          keyOf={({ id }) => id}
          {...(rowHeight !== undefined && { rowHeight })}
          empty={
            isSet ? (
              <EmptyState title={`No ${noun} match the filters`}>Clear the filters to see all.</EmptyState>
            ) : (
              <EmptyState title={empty.title}>{empty.text}</EmptyState>
            )
          }
        />
      </Panel>
      {shown !== undefined && detail?.(shown, close)}
    </>
  );
}

interface FilterProps {
  name: string;
  options: FilterOptions;
  /** Values of the enumeration; a text without them. */
  values: readonly string[] | undefined;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

function Filter({ name, options, values, value, onChange }: FilterProps): ReactNode {
  const label = options.label ?? sentenceCase(name);
  const choices = options.choices ?? values;
  if (options.slot) return options.slot({ value, onChange });
  if (choices) {
    return <FilterChoice label={label} value={value} onChange={onChange} choices={choices} none={options.none} />;
  }
  return <FilterText label={label} placeholder={options.placeholder} value={value} onChange={onChange} />;
}
