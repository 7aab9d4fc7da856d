import { useNavigate, useSearch } from '@tanstack/react-router';
import { asFilter } from '../../data/as-filter.ts';
import { useKeysetRows } from '../../data/keyset-rows.ts';
import { useTRPC } from '../../data/trpc.ts';
import { useCompanies } from '../../data/use-companies.ts';
import { OperationButton } from '../../operation/operation-dialog.tsx';
import { StatusBadge } from '../../ui/badge.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { FilterBar, FilterChoice, FilterText } from '../../ui/filter-bar.tsx';
import { formatDuration } from '../../ui/format-duration.ts';
import { Panel } from '../../ui/page.tsx';
import { RowButton } from '../../ui/row-button.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Instant } from '../../ui/time.tsx';
import { opening, replacing, type Step, useClosePanel } from '../../ui/use-close-panel.ts';
import { ActionDialog } from './action-dialog.tsx';
import { type Action, type Agent } from './agent.view.ts';
import { LogActionDialog } from './log-action-dialog.tsx';

/** What the agent did and does. */
export function ActionsPanel({ agent }: { agent: Agent }): React.JSX.Element {
  const trpc = useTRPC();
  const navigate = useNavigate({ from: '/agents/$agentId' });
  const { status, type, open } = useSearch({ from: '/shell/agents/$agentId' });
  const { nameOf } = useCompanies();
  const put = (change: Partial<Record<'status' | 'type' | 'open', string | undefined>>, step: Step = replacing): void =>
    void navigate({ search: (search) => ({ ...search, ...change }), ...step });
  const closePanel = useClosePanel(() => put({ open: undefined }));
  const filters = { agent_id: agent.id, status: asFilter<Action['status']>(status), type };
  const rows = useKeysetRows((page) => trpc.agentActions.list.queryOptions({ ...filters, ...page }));
  const columns: Column<Action>[] = [
    {
      id: 'title',
      title: 'Action',
      grow: 3,
      cell: ({ id, title }) => <RowButton onClick={() => put({ open: id }, opening)}>{title}</RowButton>,
    },
    { id: 'status', title: 'Status', grow: 1.6, whole: true, cell: (action) => <StatusBadge status={action.status} /> },
    {
      id: 'type',
      title: 'Type',
      grow: 2,
      wide: true,
      cell: (action) => <code className="text-xs">{action.type}</code>,
    },
    { id: 'company', title: 'Company', grow: 2, wide: true, cell: ({ company_id }) => nameOf(company_id) },
    { id: 'risk', title: 'Risk', wide: true, cell: ({ risk }) => risk ?? '–' },
    {
      id: 'started',
      title: 'Started',
      grow: 2.4,
      wide: true,
      whole: true,
      cell: ({ started_at }) => <Instant at={started_at} />,
    },
    {
      id: 'took',
      title: 'Took',
      align: 'end',
      wide: true,
      cell: ({ duration_ms }) => (duration_ms === null ? '–' : formatDuration(duration_ms)),
    },
  ];
  const isFiltered = status !== undefined || type !== undefined;
  return (
    <>
      <FilterBar label="Filter actions" isSet={isFiltered} onClear={() => put({ status: undefined, type: undefined })}>
        <FilterChoice
          label="Status"
          value={status}
          onChange={(next) => put({ status: next })}
          choices={['logged', 'blocked', 'completed', 'failed']}
        />
        <FilterText label="Type" placeholder="email.send" value={type} onChange={(next) => put({ type: next })} />
      </FilterBar>
      <Panel
        title="Actions"
        flush
        actions={
          <OperationButton size="small" operation="agentActions.create" label="Log action">
            {(close) => <LogActionDialog agent={agent} onClose={close} />}
          </OperationButton>
        }
      >
        <DataTable
          label="Actions"
          rows={rows}
          columns={columns}
          keyOf={({ id }) => id}
          empty={
            isFiltered ? (
              <EmptyState title="No action matches the filters" />
            ) : (
              <EmptyState title="No action is logged yet">The agent logs what it does with its own key.</EmptyState>
            )
          }
        />
      </Panel>
      {open !== undefined && <ActionDialog id={open} onClose={closePanel} />}
    </>
  );
}
