import { StatusBadge, sentenceCase } from '../../components/badge.tsx';
import type { Column } from '../../components/data-table.tsx';
import { Instant } from '../../components/time.tsx';
import { useCompanies } from '../../lib/use-companies.ts';
import { OperationButton } from '../../operation/operation-dialog.tsx';
import { OpenButton, ResourceList } from '../../operation/resource-list.tsx';
import { AgentApprovalDialog } from '../approvals/agent-approval-dialog.tsx';
import type { AgentApproval } from '../approvals/approval.view.ts';
import { TimeLeft } from '../approvals/time-left.tsx';
import type { Agent } from './agent.view.ts';
import { RequestApprovalDialog } from './request-approval-dialog.tsx';

export function AgentRequestsPanel({ agent }: { agent: Agent }): React.JSX.Element {
  const { nameOf } = useCompanies();
  const columns: readonly Column<AgentApproval>[] = [
    { title: 'Request', grow: 2.2, cell: ({ id, title }) => <OpenButton id={id}>{title}</OpenButton> },
    { title: 'Status', grow: 1.6, whole: true, cell: (approval) => <StatusBadge status={approval.status} /> },
    { title: 'Risk', wide: true, cell: ({ risk }) => (risk ? sentenceCase(risk) : '–') },
    { title: 'Company', grow: 2, wide: true, cell: ({ company_id }) => nameOf(company_id) },
    {
      title: 'Requested',
      grow: 2.2,
      wide: true,
      whole: true,
      cell: ({ requested_at }) => <Instant at={requested_at} />,
    },
    { title: 'Time left', grow: 1.9, whole: true, cell: (approval) => <TimeLeft approval={approval} /> },
  ];
  return (
    <ResourceList
      list="agentApprovals.list"
      title="Approvals"
      noun="approvals"
      fixed={{ agent_id: agent.id }}
      filters={{ status: {} }}
      columns={columns}
      actions={
        <OperationButton size="small" operation="agentApprovals.request" label="Request approval">
          {(close) => <RequestApprovalDialog agent={agent} onClose={close} />}
        </OperationButton>
      }
      empty={{ title: 'No approvals yet', text: 'Approval requests from this agent appear here.' }}
      detail={(id, close) => <AgentApprovalDialog id={id} onClose={close} />}
    />
  );
}
