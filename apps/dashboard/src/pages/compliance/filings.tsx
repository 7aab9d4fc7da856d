import { Link } from '@tanstack/react-router';
import { StatusBadge, sentenceCase } from '../../components/badge.tsx';
import { type Column, DataTable, rowLink } from '../../components/data-table.tsx';
import { FilterBar, FilterChoice } from '../../components/filter-bar.tsx';
import { ExportLinks } from '../../components/links.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { EmptyState } from '../../components/states.tsx';
import { Day } from '../../components/time.tsx';
import { useKeysetRows } from '../../lib/keyset-rows.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { optionsOf } from '../../operation/options.ts';
import { asFilter, opening } from '../../operation/resource-list.tsx';
import type { Filing } from './calendar.view.ts';

const columns: readonly Column<Filing>[] = [
  {
    id: 'title',
    title: 'Filing',
    grow: 3,
    cell: ({ id, title }) => (
      <Link
        to="."
        search={(search) => ({ ...search, filing: id })}
        {...opening}
        className={`${rowLink} hover:underline`}
      >
        {title}
      </Link>
    ),
  },
  { id: 'due', title: 'Due', whole: true, cell: ({ due_date }) => <Day day={due_date} /> },
  {
    id: 'status',
    title: 'Status',
    whole: true,
    cell: ({ status, overdue }) => <StatusBadge status={overdue ? 'overdue' : status} />,
  },
  { id: 'type', title: 'Type', wide: true, cell: ({ type }) => sentenceCase(type) },
  { id: 'place', title: 'Jurisdiction', wide: true, cell: ({ jurisdiction }) => jurisdiction },
];

export interface FilingsProps {
  /** `open`, `overdue` or `submitted`, as in the URL. */
  status: string | undefined;
  type: string | undefined;
  onChoose: (change: { status?: string; type?: string }) => void;
}

export function Filings({ status, type, onChoose }: FilingsProps): React.JSX.Element {
  const trpc = useTRPC();
  const company = useCompany();
  const filters = {
    status: asFilter<Filing['status']>(status === 'overdue' ? undefined : status),
    overdue: status === 'overdue' ? true : undefined,
    type: asFilter<Filing['type']>(type),
  } as const;
  const rows = useKeysetRows((page) => trpc.filings.list.queryOptions({ company_id: company.id, ...filters, ...page }));
  const isSet = status !== undefined || type !== undefined;
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <FilterBar
          label="Filter filings"
          isSet={isSet}
          onClear={() => onChoose({ status: undefined, type: undefined })}
        >
          <FilterChoice
            label="Status"
            value={status}
            onChange={(next) => onChoose({ status: next })}
            choices={['open', 'overdue', 'submitted']}
          />
          <FilterChoice
            label="Type"
            value={filters.type}
            onChange={(next) => onChoose({ type: next })}
            choices={optionsOf('filings.list', 'type')}
          />
        </FilterBar>
        <div className="flex gap-2">
          <ExportLinks
            path={`/companies/${company.id}/filings`}
            filters={{ ...filters, overdue: filters.overdue && 'true' }}
            what="the filings"
          />
        </div>
      </div>
      <DataTable
        label="Filings"
        rows={rows}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <EmptyState title={isSet ? 'No filings match the filters' : 'No filings yet'}>
            {isSet
              ? 'Clear the filters to see all.'
              : 'Resync to open the filings of the next twelve months, or open one manually.'}
          </EmptyState>
        }
      />
    </div>
  );
}
