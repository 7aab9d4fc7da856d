import { StatusBadge, sentenceCase } from '../../components/badge.tsx';
import type { Column } from '../../components/data-table.tsx';
import { Instant } from '../../components/time.tsx';
import { formatDuration } from '../../lib/format-time.ts';
import { useCompanies } from '../../lib/use-companies.ts';
import { OperationButton } from '../../operation/operation-dialog.tsx';
import { OpenButton, ResourceList } from '../../operation/resource-list.tsx';
import { ActionDialog } from './action-dialog.tsx';
import type { Action, Agent } from './agent.view.ts';
import { LogActionDialog } from './log-action-dialog.tsx';

export function ActionsPanel({ agent }: { agent: Agent }): React.JSX.Element {
  const { nameOf } = useCompanies();
  const columns: readonly Column<Action>[] = [
    { title: 'Action', grow: 3, cell: ({ id, title }) => <OpenButton id={id}>{title}</OpenButton> },
    { title: 'Status', grow: 1.6, whole: true, cell: (action) => <StatusBadge status={action.status} /> },
    { title: 'Type', grow: 2, wide: true, cell: (action) => <code className="text-xs">{action.type}</code> },
    { title: 'Company', grow: 2, wide: true, cell: ({ company_id }) => nameOf(company_id) },
    { title: 'Risk', wide: true, cell: ({ risk }) => (risk ? sentenceCase(risk) : '–') },
    { title: 'Started', grow: 2.4, wide: true, whole: true, cell: ({ started_at }) => <Instant at={started_at} /> },
    {
      title: 'Duration',
      align: 'end',
      wide: true,
      cell: ({ duration_ms }) => (duration_ms === null ? '–' : formatDuration(duration_ms)),
    },
  ];
  return (
    <ResourceList
      list="agentActions.list"
      title="Actions"
      noun="actions"
      fixed={{ agent_id: agent.id }}
      filters={{ status: {}, type: { placeholder: 'email.send' } }}
      columns={columns}
      actions={
        <OperationButton size="small" operation="agentActions.create" label="Log action">
          {(close) => <LogActionDialog agent={agent} onClose={close} />}
        </OperationButton>
      }
      empty={{ title: 'No actions yet', text: 'Agents log their actions with their own API key.' }}
      detail={(id, close) => <ActionDialog id={id} onClose={close} />}
    />
  );
}
