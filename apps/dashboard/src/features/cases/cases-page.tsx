import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { actorName } from '../../data/actor-name.ts';
import { asFilter } from '../../data/as-filter.ts';
import { useKeysetRows } from '../../data/keyset-rows.ts';
import { useTRPC } from '../../data/trpc.ts';
import { OperationButton } from '../../operation/operation-dialog.tsx';
import { useCompany } from '../../shell/company-context.ts';
import { NeedsCompany } from '../../shell/needs-company.tsx';
import { StatusBadge } from '../../ui/badge.tsx';
import { type Column, DataTable, rowLink } from '../../ui/data-table.tsx';
import { FilterBar, FilterChoice, FilterText } from '../../ui/filter-bar.tsx';
import { Page, Panel } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Ago } from '../../ui/time.tsx';
import { CreateCaseDialog } from './case-dialogs.tsx';
import type { Case } from './case-moves.ts';

const route = getRouteApi('/shell/cases');
const statuses = ['open', 'waiting', 'closed'] as const;
const priorities = ['low', 'normal', 'high', 'urgent'] as const;

const columns: readonly Column<Case>[] = [
  {
    id: 'title',
    title: 'Case',
    grow: 3,
    cell: ({ id, title }) => (
      <Link to="/cases/$caseId" params={{ caseId: id }} className={`${rowLink} hover:underline`}>
        {title}
      </Link>
    ),
  },
  { id: 'status', title: 'Status', whole: true, cell: ({ status }) => <StatusBadge status={status} /> },
  { id: 'priority', title: 'Priority', wide: true, cell: ({ priority }) => priority },
  {
    id: 'assignee',
    title: 'Assigned to',
    wide: true,
    grow: 1.5,
    cell: ({ assignee }) => (assignee ? actorName(assignee) : <span className="text-muted">Nobody</span>),
  },
  { id: 'comments', title: 'Comments', wide: true, align: 'end', cell: ({ comment_count }) => comment_count },
  { id: 'created', title: 'Opened', wide: true, whole: true, cell: ({ created_at }) => <Ago at={created_at} /> },
];

/** Matters of the company that people and agents work on. */
export function CasesPage(): React.JSX.Element {
  return (
    <NeedsCompany>
      <Cases />
    </NeedsCompany>
  );
}

function Cases(): React.JSX.Element {
  const trpc = useTRPC();
  const company = useCompany();
  const navigate = useNavigate({ from: '/cases' });
  const { status, priority, q } = route.useSearch();
  const filters = {
    company_id: company.id,
    status: asFilter<Case['status']>(status),
    priority: asFilter<Case['priority']>(priority),
    q,
  };
  const rows = useKeysetRows((page) => trpc.cases.list.queryOptions({ ...filters, ...page }));
  const choose = (change: { status?: string; priority?: string; q?: string }): void =>
    void navigate({ search: (search) => ({ ...search, ...change }), replace: true });
  const isSet = filters.status !== undefined || filters.priority !== undefined || q !== undefined;
  return (
    <Page
      title="Cases"
      actions={
        <OperationButton variant="primary" operation="cases.create" label="Open case" here>
          {(close) => <CreateCaseDialog onClose={close} />}
        </OperationButton>
      }
    >
      <FilterBar
        label="Filter cases"
        isSet={isSet}
        onClear={() => choose({ status: undefined, priority: undefined, q: undefined })}
      >
        <FilterText label="Title contains" value={q} onChange={(text) => choose({ q: text })} />
        <FilterChoice
          label="Status"
          value={filters.status}
          onChange={(next) => choose({ status: next })}
          choices={statuses}
        />
        <FilterChoice
          label="Priority"
          value={filters.priority}
          onChange={(next) => choose({ priority: next })}
          choices={priorities}
        />
      </FilterBar>
      <Panel title="All cases" flush>
        <DataTable
          label="Cases"
          rows={rows}
          columns={columns}
          keyOf={({ id }) => id}
          empty={
            <EmptyState title={isSet ? 'No cases match the filters' : 'No cases yet'}>
              {isSet ? 'Clear the filters to see all.' : 'Open one for a notice, a dispute or a question.'}
            </EmptyState>
          }
        />
      </Panel>
    </Page>
  );
}
