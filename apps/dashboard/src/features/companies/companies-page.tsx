import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { asFilter } from '../../data/as-filter.ts';
import { useKeysetRows } from '../../data/keyset-rows.ts';
import { useTRPC } from '../../data/trpc.ts';
import { usePermission, useReachesAll } from '../../session/use-session.ts';
import type { Company } from '../../shell/company-context.ts';
import { StatusBadge, sentenceCase } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { type Column, DataTable, rowLink } from '../../ui/data-table.tsx';
import { FilterBar, FilterChoice, FilterText } from '../../ui/filter-bar.tsx';
import { Page, Panel } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Ago } from '../../ui/time.tsx';
import { CreateCompanyDialog } from './company-dialogs.tsx';

const route = getRouteApi('/shell/companies');
const statuses = ['forming', 'active', 'dissolved'] as const;

const columns: readonly Column<Company>[] = [
  {
    id: 'name',
    title: 'Company',
    grow: 3,
    cell: ({ id, name }) => (
      <Link
        to="/companies/$companyId"
        params={{ companyId: id }}
        search={{ company: id }}
        className={`${rowLink} hover:underline`}
      >
        {name}
      </Link>
    ),
  },
  { id: 'status', title: 'Status', whole: true, cell: ({ status }) => <StatusBadge status={status} /> },
  { id: 'entity', title: 'Entity', wide: true, cell: ({ entity_type }) => entity_type && sentenceCase(entity_type) },
  { id: 'place', title: 'Jurisdiction', wide: true, cell: ({ jurisdiction, country }) => jurisdiction ?? country },
  { id: 'currency', title: 'Currency', wide: true, cell: ({ base_currency }) => base_currency },
  { id: 'created', title: 'Created', wide: true, whole: true, cell: ({ created_at }) => <Ago at={created_at} /> },
];

/** The companies of the account. */
export function CompaniesPage(): React.JSX.Element {
  const trpc = useTRPC();
  const may = usePermission();
  const reachesAll = useReachesAll();
  const navigate = useNavigate({ from: '/companies' });
  const { status, q } = route.useSearch();
  const [creating, setCreating] = useState(false);
  const filters = { status: asFilter<Company['status']>(status), q };
  const rows = useKeysetRows((page) => trpc.companies.list.queryOptions({ ...filters, ...page }));
  const choose = (change: { status?: string; q?: string }): void =>
    void navigate({ search: (search) => ({ ...search, ...change }), replace: true });
  const isSet = filters.status !== undefined || q !== undefined;
  return (
    <Page
      title="Companies"
      actions={
        may('companies.create') &&
        reachesAll && (
          <Button variant="primary" onClick={() => setCreating(true)}>
            Create company
          </Button>
        )
      }
    >
      <FilterBar label="Filter companies" isSet={isSet} onClear={() => choose({ status: undefined, q: undefined })}>
        <FilterText label="Name contains" value={q} onChange={(text) => choose({ q: text })} />
        <FilterChoice
          label="Status"
          value={filters.status}
          onChange={(next) => choose({ status: next })}
          choices={statuses}
        />
      </FilterBar>
      <Panel title="All companies" flush>
        <DataTable
          label="Companies"
          rows={rows}
          columns={columns}
          keyOf={({ id }) => id}
          empty={
            <EmptyState title={isSet ? 'No companies match the filters' : 'No companies yet'}>
              {isSet ? 'Clear the filters to see all.' : 'Balances, transactions and statements belong to a company.'}
            </EmptyState>
          }
        />
      </Panel>
      {creating && <CreateCompanyDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}
