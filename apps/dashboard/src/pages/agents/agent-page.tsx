import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { StatusBadge } from '../../components/badge.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { Page, Panel, PendingPage } from '../../components/page.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { Instant } from '../../components/time.tsx';
import { plural, visibleText } from '../../lib/text.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { useReachesAll } from '../../lib/use-session.ts';
import { OperationButton } from '../../operation/operation-dialog.tsx';
import { ActionsPanel } from './actions.tsx';
import { type Agent, type Flag, tabTitle } from './agent.view.ts';
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
      <CriticalFlags flags={useOpenFlags(agent.id).data?.data ?? []} />
      <Panel title="About">
        <AgentFacts agent={agent} />
      </Panel>
      <AgentTabs agent={agent} />
    </Page>
  );
}

const MOST_COUNTED = 50;

function useOpenFlags(agent_id: string) {
  const trpc = useTRPC();
  return useQuery(trpc.agentFlags.list.queryOptions({ agent_id, status: 'open', limit: MOST_COUNTED }));
}

function CriticalFlags({ flags }: { flags: readonly Flag[] }): React.JSX.Element | null {
  const critical = flags.filter(({ severity }) => severity === 'critical');
  if (critical.length === 0) return null;
  return (
    <section
      aria-label="Critical flags"
      className="rounded-xl border border-bad bg-bad-soft px-5 py-4 text-sm text-bad"
    >
      <p className="font-medium">{plural(critical.length, 'critical flag')} open</p>
      <ul>
        {critical.map(({ id, title }) => (
          <li key={id}>
            <Link to="." search={({ company }) => ({ company, tab: 'flags', open: id })} className="underline">
              {visibleText(title)}
            </Link>
          </li>
        ))}
      </ul>
    </section>
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
  const { tab = 'approvals' } = useSearch({ from: '/shell/agents/$agentId' });
  const navigate = useNavigate({ from: '/agents/$agentId' });
  const trpc = useTRPC();
  const pending = trpc.agentApprovals.list.queryOptions({ agent_id: agent.id, status: 'pending', limit: MOST_COUNTED });
  const requests = useQuery(pending).data;
  const flags = useOpenFlags(agent.id).data;
  const tabs = [
    { id: 'approvals', title: tabTitle('Approvals', requests), content: <AgentRequestsPanel agent={agent} /> },
    { id: 'flags', title: tabTitle('Flags', flags), content: <FlagsPanel agent={agent} /> },
    { id: 'actions', title: 'Actions', content: <ActionsPanel agent={agent} /> },
    { id: 'companies', title: 'Companies', content: <BindingsPanel agent={agent} /> },
    { id: 'runtime', title: 'Runtime', content: <RuntimePanel agent={agent} /> },
  ];
  return (
    <Tabs
      label="Agent"
      tabs={tabs}
      value={tabs.some(({ id }) => id === tab) ? tab : 'approvals'}
      // Filters of one tab do not apply to the next.
      onChange={(next) =>
        void navigate({ search: ({ company }) => (company === undefined ? { tab: next } : { company, tab: next }) })
      }
    />
  );
}
