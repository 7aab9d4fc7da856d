import { useNavigate, useSearch } from '@tanstack/react-router';
import { actorName } from '../../data/actor-name.ts';
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
import type { Agent, Flag } from './agent.view.ts';
import { FlagDialog, RaiseFlagDialog } from './flag-dialogs.tsx';

/** What people found wrong with the agent's work. */
export function FlagsPanel({ agent }: { agent: Agent }): React.JSX.Element {
  const trpc = useTRPC();
  const navigate = useNavigate({ from: '/agents/$agentId' });
  const { status, severity, open } = useSearch({ from: '/shell/agents/$agentId' });
  const { nameOf } = useCompanies();
  const put = (
    change: Partial<Record<'status' | 'severity' | 'open', string | undefined>>,
    step: Step = replacing,
  ): void => void navigate({ search: (search) => ({ ...search, ...change }), ...step });
  const closePanel = useClosePanel(() => put({ open: undefined }));
  const filters = { status: asFilter<Flag['status']>(status), severity: asFilter<Flag['severity']>(severity) };
  const rows = useKeysetRows((page) => trpc.agentFlags.list.queryOptions({ agent_id: agent.id, ...filters, ...page }));
  const columns: Column<Flag>[] = [
    {
      id: 'title',
      title: 'Flag',
      grow: 2.2,
      cell: ({ id, title }) => <RowButton onClick={() => put({ open: id }, opening)}>{title}</RowButton>,
    },
    { id: 'severity', title: 'Severity', grow: 1.5, cell: (flag) => <StatusBadge status={flag.severity} /> },
    { id: 'status', title: 'Status', grow: 1.7, whole: true, cell: (flag) => <StatusBadge status={flag.status} /> },
    { id: 'company', title: 'Company', grow: 2, wide: true, cell: ({ company_id }) => nameOf(company_id) },
    { id: 'by', title: 'Raised by', wide: true, cell: ({ raised_by }) => actorName(raised_by) },
    {
      id: 'at',
      title: 'Raised',
      grow: 2.2,
      wide: true,
      whole: true,
      cell: ({ created_at }) => <Instant at={created_at} />,
    },
  ];
  const isFiltered = status !== undefined || severity !== undefined;
  return (
    <>
      <FilterBar
        label="Filter flags"
        isSet={isFiltered}
        onClear={() => put({ status: undefined, severity: undefined })}
      >
        <FilterChoice
          label="Status"
          value={status}
          onChange={(next) => put({ status: next })}
          choices={['open', 'resolved']}
        />
        <FilterChoice
          label="Severity"
          value={severity}
          onChange={(next) => put({ severity: next })}
          choices={['info', 'warning', 'critical']}
        />
      </FilterBar>
      <Panel
        title="Flags"
        flush
        actions={
          <OperationButton size="small" operation="agentFlags.create" label="Raise flag">
            {(close) => <RaiseFlagDialog agent={agent} onClose={close} />}
          </OperationButton>
        }
      >
        <DataTable
          label="Flags"
          rows={rows}
          columns={columns}
          keyOf={({ id }) => id}
          empty={
            isFiltered ? (
              <EmptyState title="No flag matches the filters" />
            ) : (
              <EmptyState title="No flags">Raise a flag when the agent did something it should not.</EmptyState>
            )
          }
        />
      </Panel>
      {open !== undefined && <FlagDialog id={open} onClose={closePanel} />}
    </>
  );
}
