import { useNavigate, useSearch } from '@tanstack/react-router';
import { asFilter } from '../../data/as-filter.ts';
import { useKeysetRows } from '../../data/keyset-rows.ts';
import { useTRPC } from '../../data/trpc.ts';
import { useCompanies } from '../../data/use-companies.ts';
import { OperationButton } from '../../operation/operation-dialog.tsx';
import { StatusBadge } from '../../ui/badge.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { FilterBar, FilterChoice } from '../../ui/filter-bar.tsx';
import { Panel } from '../../ui/page.tsx';
import { RowButton } from '../../ui/row-button.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Instant } from '../../ui/time.tsx';
import { opening, replacing, type Step, useClosePanel } from '../../ui/use-close-panel.ts';
import { AgentApprovalDialog } from '../approvals/agent-approval-dialog.tsx';
import type { AgentApproval } from '../approvals/approval.view.ts';
import { TimeLeft } from '../approvals/time-left.tsx';
import type { Agent } from './agent.view.ts';
import { RequestApprovalDialog } from './request-approval-dialog.tsx';

/** What the agent asked people to approve. */
export function AgentRequestsPanel({ agent }: { agent: Agent }): React.JSX.Element {
  const trpc = useTRPC();
  const navigate = useNavigate({ from: '/agents/$agentId' });
  const { status, open } = useSearch({ from: '/shell/agents/$agentId' });
  const { nameOf } = useCompanies();
  const put = (change: Partial<Record<'status' | 'open', string | undefined>>, step: Step = replacing): void =>
    void navigate({ search: (search) => ({ ...search, ...change }), ...step });
  const closePanel = useClosePanel(() => put({ open: undefined }));
  const filters = { agent_id: agent.id, status: asFilter<AgentApproval['status']>(status) };
  const rows = useKeysetRows((page) => trpc.agentApprovals.list.queryOptions({ ...filters, ...page }));
  const columns: Column<AgentApproval>[] = [
    {
      id: 'title',
      title: 'Request',
      grow: 2.2,
      cell: ({ id, title }) => <RowButton onClick={() => put({ open: id }, opening)}>{title}</RowButton>,
    },
    {
      id: 'status',
      title: 'Status',
      grow: 1.6,
      whole: true,
      cell: (approval) => <StatusBadge status={approval.status} />,
    },
    { id: 'risk', title: 'Risk', wide: true, cell: ({ risk }) => risk ?? '–' },
    { id: 'company', title: 'Company', grow: 2, wide: true, cell: ({ company_id }) => nameOf(company_id) },
    {
      id: 'asked',
      title: 'Requested',
      grow: 2.2,
      wide: true,
      whole: true,
      cell: ({ requested_at }) => <Instant at={requested_at} />,
    },
    { id: 'left', title: 'Time left', grow: 1.9, whole: true, cell: (approval) => <TimeLeft approval={approval} /> },
  ];
  return (
    <>
      <FilterBar label="Filter approvals" isSet={status !== undefined} onClear={() => put({ status: undefined })}>
        <FilterChoice
          label="Status"
          value={status}
          onChange={(next) => put({ status: next })}
          choices={['pending', 'approved', 'denied', 'expired', 'cancelled']}
        />
      </FilterBar>
      <Panel
        title="Approvals"
        flush
        actions={
          <OperationButton size="small" operation="agentApprovals.request" label="Request approval">
            {(close) => <RequestApprovalDialog agent={agent} onClose={close} />}
          </OperationButton>
        }
      >
        <DataTable
          label="Approvals"
          rows={rows}
          columns={columns}
          keyOf={({ id }) => id}
          empty={
            status === undefined ? (
              <EmptyState title="No requests yet">Requests for approval appear here.</EmptyState>
            ) : (
              <EmptyState title="No approval matches the filters" />
            )
          }
        />
      </Panel>
      {open !== undefined && <AgentApprovalDialog id={open} onClose={closePanel} />}
    </>
  );
}
