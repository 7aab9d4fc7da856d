import { Link, useNavigate } from '@tanstack/react-router';
import { useContext } from 'react';
import { StatusBadge } from '../../components/badge.tsx';
import { Page } from '../../components/page.tsx';
import { CompanyContext } from '../../components/shell/company-context.ts';
import { rowLink } from '../../components/table-cells.tsx';
import type { Column } from '../../components/table-head.tsx';
import { Ago } from '../../components/time.tsx';
import { useCompanies } from '../../lib/use-companies.ts';
import { OperationButton } from '../../operation/operation-dialog.tsx';
import { ResourceList } from '../../operation/resource-list.tsx';
import { type Agent, companiesOf } from './agent.view.ts';
import { CreateAgentDialog } from './agent-dialogs.tsx';
import { CriticalFlagCount } from './critical-flag-count.tsx';

export function AgentsPage(): React.JSX.Element {
  const navigate = useNavigate();
  return (
    <Page
      title="Agents"
      intro="AI agents and scripts that act for your companies, with their actions and approval requests."
      actions={
        <OperationButton variant="primary" operation="agents.create" label="Create agent">
          {(close) => (
            <CreateAgentDialog
              onClose={close}
              onDone={({ id }) => void navigate({ to: '/agents/$agentId', params: { agentId: id } })}
            />
          )}
        </OperationButton>
      }
    >
      <AgentTable />
    </Page>
  );
}

function AgentTable(): React.JSX.Element {
  const company = useContext(CompanyContext);
  const { nameOf } = useCompanies();
  const columns: readonly Column<Agent>[] = [
    {
      title: 'Name',
      grow: 2,
      cell: ({ id, name }) => (
        <Link to="/agents/$agentId" params={{ agentId: id }} className={`${rowLink} text-accent hover:underline`}>
          {name}
        </Link>
      ),
    },
    { title: 'Status', grow: 1.2, nowrap: true, cell: (agent) => <StatusBadge status={agent.status} /> },
    { title: 'Open flags', grow: 1.2, nowrap: true, cell: ({ id }) => <CriticalFlagCount agentId={id} /> },
    { title: 'Provider', wide: true, cell: (agent) => agent.provider },
    { title: 'Model', wide: true, cell: (agent) => agent.model ?? '–' },
    { title: 'Companies', grow: 2, wide: true, cell: (agent) => companiesOf(agent).map(nameOf).join(', ') || '–' },
    { title: 'Updated', grow: 1.5, wide: true, nowrap: true, cell: (agent) => <Ago at={agent.updated_at} /> },
  ];
  return (
    <ResourceList
      list="agents.list"
      noun="agents"
      fixed={{}}
      filters={{
        q: { label: 'Search', placeholder: 'Name or email' },
        provider: {},
        status: {},
        ...(company && {
          where: { label: 'Attached to', none: 'Any', choices: [['here', company.name]] },
        }),
      }}
      toQuery={({ where, ...filters }) => ({ ...filters, company_id: where === 'here' ? company?.id : undefined })}
      columns={columns}
      empty={{
        title: 'No agents yet',
        text: 'Create an agent, attach it to a company, and create an API key with the agent scope. The agent can then log actions and request approvals.',
      }}
    />
  );
}
