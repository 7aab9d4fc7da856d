import { Link } from '@tanstack/react-router';
import { StatusBadge, sentenceCase } from '../../components/badge.tsx';
import { Options, SelectField } from '../../components/field.tsx';
import { formText } from '../../components/form.tsx';
import { rowLink } from '../../components/table-cells.tsx';
import type { Column } from '../../components/table-head.tsx';
import { Instant } from '../../components/time.tsx';
import { visibleText } from '../../lib/text.ts';
import { useCompanies } from '../../lib/use-companies.ts';
import { OperationButton, OperationDialog } from '../../operation/operation-dialog.tsx';
import { ResourceList } from '../../operation/resource-list.tsx';
import type { AgentApproval } from '../approvals/approval.view.ts';
import { TimeLeft } from '../approvals/time-left.tsx';
import type { Agent } from './agent.view.ts';
import { useCompanyOfAgent } from './use-company-of-agent.ts';

export function AgentRequestsPanel({ agent }: { agent: Agent }): React.JSX.Element {
  const { nameOf } = useCompanies();
  const columns: readonly Column<AgentApproval>[] = [
    { title: 'Request', grow: 2.2, cell: (approval) => <RequestLink approval={approval} /> },
    { title: 'Status', grow: 1.6, nowrap: true, cell: (approval) => <StatusBadge status={approval.status} /> },
    { title: 'Risk', wide: true, cell: ({ risk }) => (risk ? sentenceCase(risk) : '–') },
    { title: 'Company', grow: 2, wide: true, cell: ({ company_id }) => nameOf(company_id) },
    {
      title: 'Requested',
      grow: 2.2,
      wide: true,
      nowrap: true,
      cell: ({ requested_at }) => <Instant at={requested_at} />,
    },
    { title: 'Time left', grow: 1.9, nowrap: true, cell: (approval) => <TimeLeft approval={approval} /> },
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
    />
  );
}

function RequestLink({ approval: { id, title, company_id } }: { approval: AgentApproval }): React.JSX.Element {
  return (
    <Link
      to="/approvals/$approvalId"
      params={{ approvalId: id }}
      search={{ company: company_id }}
      className={`${rowLink} hover:underline`}
    >
      {visibleText(title)}
    </Link>
  );
}

const HOUR_MS = 3_600_000;
const spans = [
  ['', 'Never'],
  ['1', 'After 1 hour'],
  ['24', 'After 1 day'],
  ['72', 'After 3 days'],
  ['168', 'After 1 week'],
] as const;

function readExpiry(data: FormData): { value: unknown } {
  const hours = formText(data, 'hours');
  return { value: hours && new Date(Date.now() + Number(hours) * HOUR_MS).toISOString() };
}

function RequestApprovalDialog({ agent, onClose }: { agent: Agent; onClose: () => void }): React.JSX.Element {
  return (
    <OperationDialog
      operation="agentApprovals.request"
      title="Request approval"
      description={`Asks a person to approve an action of ${agent.name}.`}
      submit="Request approval"
      done="Approval requested."
      fixed={{ agent_id: agent.id }}
      fields={{
        company_id: useCompanyOfAgent(agent),
        title: {},
        description: { rows: 3 },
        payload: { hint: 'The data to approve, as JSON, up to 16 KiB.' },
        risk: { none: 'Not rated' },
        options: { rows: 2, hint: 'Choices for the reviewer, one per line.' },
        action_id: { placeholder: 'act_…', hint: 'ID of the logged action that needs this approval.' },
        expires_at: {
          slot: (errorOf) => (
            <SelectField label="Expires" name="hours" defaultValue="24" error={errorOf('expires_at')}>
              <Options values={spans} />
            </SelectField>
          ),
          read: readExpiry,
        },
      }}
      onClose={onClose}
    />
  );
}
