import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { StatusBadge } from '../../components/badge.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { Page, Panel, PendingPage } from '../../components/page.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { Instant } from '../../components/time.tsx';
import { useTRPC } from '../../lib/trpc.ts';
import { useReachesAll } from '../../lib/use-session.ts';
import { OperationButton } from '../../operation/operation-dialog.tsx';
import { ActionsPanel } from './actions.tsx';
import type { Agent } from './agent.view.ts';
import { EditAgentDialog, MoveAgentDialog } from './agent-dialogs.tsx';
import { AgentRequestsPanel } from './approval-requests.tsx';
import { BindingsPanel } from './bindings.tsx';
import { FlagsPanel } from './flags.tsx';
import { RuntimePanel } from './runtime-panel.tsx';

export function AgentPage(): React.JSX.Element {
  const trpc = useTRPC();
  const { agentId } = useParams({ from: '/shell/agents/$agentId' });
  const query = useQuery(trpc.agents.get.queryOptions({ agent_id: agentId }));
  if (query.data) return <LoadedAgent agent={query.data} />;
  return <PendingPage title="Agent" query={query} label="Loading the agent" />;
}

function LoadedAgent({ agent }: { agent: Agent }): React.JSX.Element {
  // A key of some companies can't change the agent in all companies.
  const reachesAll = useReachesAll();
  const move = agent.status === 'paused' ? 'resume' : 'pause';
  return (
    <Page
      title={agent.name}
      intro={<StatusBadge status={agent.status} />}
      actions={
        <>
          <OperationButton operation="agents.update" label="Edit agent">
            {(close) => <EditAgentDialog agent={agent} onClose={close} />}
          </OperationButton>
          {reachesAll && (
            <OperationButton operation={`agents.${move}`} label={move === 'pause' ? 'Pause agent' : 'Resume agent'}>
              {(close) => <MoveAgentDialog agent={agent} move={{ kind: move }} onClose={close} />}
            </OperationButton>
          )}
        </>
      }
    >
      <Panel title="About">
        <AgentFacts agent={agent} />
      </Panel>
      <AgentTabs agent={agent} />
    </Page>
  );
}

function AgentFacts({ agent }: { agent: Agent }): React.JSX.Element {
  const metadata = Object.entries(agent.metadata);
  return (
    <DescriptionList
      entries={[
        ['Pause reason', agent.status === 'paused' ? (agent.paused_reason ?? 'Not specified') : null],
        ['Provider', agent.provider],
        ['Model', agent.model],
        ['Email', agent.email],
        ['Phone', agent.phone],
        ...metadata.map(([key, value]) => [`Metadata: ${key}`, value] as const),
        ['Created', <Instant key="created" at={agent.created_at} />],
        ['ID', <code key="id">{agent.id}</code>],
      ]}
    />
  );
}

function AgentTabs({ agent }: { agent: Agent }): React.JSX.Element {
  const { tab = 'companies' } = useSearch({ from: '/shell/agents/$agentId' });
  const navigate = useNavigate({ from: '/agents/$agentId' });
  const tabs = [
    { id: 'companies', title: 'Companies', content: <BindingsPanel agent={agent} /> },
    { id: 'runtime', title: 'Runtime', content: <RuntimePanel agent={agent} /> },
    { id: 'actions', title: 'Actions', content: <ActionsPanel agent={agent} /> },
    { id: 'approvals', title: 'Approvals', content: <AgentRequestsPanel agent={agent} /> },
    { id: 'flags', title: 'Flags', content: <FlagsPanel agent={agent} /> },
  ];
  return (
    <Tabs
      label="Agent"
      tabs={tabs}
      value={tabs.some(({ id }) => id === tab) ? tab : 'companies'}
      // Filters of one tab do not apply to the next.
      onChange={(next) =>
        void navigate({ search: ({ company }) => (company === undefined ? { tab: next } : { company, tab: next }) })
      }
    />
  );
}
