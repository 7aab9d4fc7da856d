import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { asFilter } from '../../data/as-filter.ts';
import { useKeysetRows } from '../../data/keyset-rows.ts';
import { useTRPC } from '../../data/trpc.ts';
import { OperationButton } from '../../operation/operation-dialog.tsx';
import { useCompany } from '../../shell/company-context.ts';
import { NeedsCompany } from '../../shell/needs-company.tsx';
import { StatusBadge } from '../../ui/badge.tsx';
import { type Column, DataTable, rowLink } from '../../ui/data-table.tsx';
import { FilterBar, FilterChoice } from '../../ui/filter-bar.tsx';
import { Page, Panel } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Ago, Instant } from '../../ui/time.tsx';
import { opening, replacing, useClosePanel } from '../../ui/use-close-panel.ts';
import { DirectiveDialog } from './directive-dialog.tsx';
import { IssueDialog } from './directive-dialogs.tsx';
import type { Directive } from './directive-moves.ts';

const route = getRouteApi('/shell/directives');
const statuses = ['issued', 'suspended', 'resolved'] as const;
const priorities = ['low', 'normal', 'high', 'critical'] as const;

const columns: readonly Column<Directive>[] = [
  {
    id: 'title',
    title: 'Directive',
    grow: 3,
    cell: ({ id, title }) => (
      <Link to="." search={(search) => ({ ...search, open: id })} {...opening} className={`${rowLink} hover:underline`}>
        {title}
      </Link>
    ),
  },
  { id: 'status', title: 'Status', whole: true, cell: ({ status }) => <StatusBadge status={status} /> },
  { id: 'priority', title: 'Priority', wide: true, cell: ({ priority }) => priority },
  { id: 'due', title: 'Due', wide: true, whole: true, cell: ({ due_at }) => due_at && <Instant at={due_at} /> },
  { id: 'issued', title: 'Issued', wide: true, whole: true, cell: ({ issued_at }) => <Ago at={issued_at} /> },
];

/** Instructions that hold for the company, its cases and its agents. */
export function DirectivesPage(): React.JSX.Element {
  return (
    <NeedsCompany>
      <Directives />
    </NeedsCompany>
  );
}

function Directives(): React.JSX.Element {
  const trpc = useTRPC();
  const company = useCompany();
  const navigate = useNavigate({ from: '/directives' });
  const { open, status, priority } = route.useSearch();
  const filters = {
    company_id: company.id,
    status: asFilter<Directive['status']>(status),
    priority: asFilter<Directive['priority']>(priority),
  };
  const rows = useKeysetRows((page) => trpc.directives.list.queryOptions({ ...filters, ...page }));
  const choose = (change: { status?: string | undefined; priority?: string | undefined }): void =>
    void navigate({
      search: ({ company: chosen }) => ({ company: chosen, status, priority, ...change }),
      replace: true,
    });
  const closePanel = useClosePanel(
    () => void navigate({ search: (search) => ({ ...search, open: undefined }), ...replacing }),
  );
  const isSet = filters.status !== undefined || filters.priority !== undefined;
  return (
    <Page
      title="Directives"
      intro="Instructions for people and agents, in force until suspended or resolved."
      actions={
        <OperationButton variant="primary" operation="directives.create" label="Issue directive" here>
          {(close) => <IssueDialog onClose={close} />}
        </OperationButton>
      }
    >
      <FilterBar
        label="Filter directives"
        isSet={isSet}
        onClear={() => choose({ status: undefined, priority: undefined })}
      >
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
      <Panel title="All directives" flush>
        <DataTable
          label="Directives"
          rows={rows}
          columns={columns}
          keyOf={({ id }) => id}
          empty={
            <EmptyState title={isSet ? 'No directives match the filters' : 'No directives yet'}>
              {isSet ? 'Clear the filters to see all.' : 'Directives are instructions for people and agents.'}
            </EmptyState>
          }
        />
      </Panel>
      {open !== undefined && <DirectiveDialog id={open} onClose={closePanel} />}
    </Page>
  );
}
