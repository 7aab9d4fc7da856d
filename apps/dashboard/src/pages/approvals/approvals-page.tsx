import { useQueries, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { StatusBadge, sentenceCase } from '../../components/badge.tsx';
import type { Column } from '../../components/data-table.tsx';
import { Options, SelectField } from '../../components/field.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { RecordLink } from '../../components/record-link.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { NeedsCompany } from '../../components/shell/needs-company.tsx';
import { SimpleTable } from '../../components/simple-table.tsx';
import { EmptyState, ErrorState, Loading } from '../../components/states.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { Instant } from '../../components/time.tsx';
import { useTRPC } from '../../lib/trpc.ts';
import { optionsOf } from '../../operation/options.ts';
import { asFilter, OpenButton, useClosePanel, useListSearch } from '../../operation/resource-list.tsx';
import { AgentApprovalDialog } from './agent-approval-dialog.tsx';
import { type AgentApproval, mergeNewest } from './approval.view.ts';
import { TimeLeft } from './time-left.tsx';
import { WiresPanel } from './wires-panel.tsx';

export function ApprovalsPage(): React.JSX.Element {
  const { tab = 'bank' } = useSearch({ from: '/shell/approvals' });
  const navigate = useNavigate({ from: '/approvals' });
  const tabs = [
    { id: 'bank', title: 'Wire approvals', content: <WiresPanel kind="approvals" /> },
    { id: 'agents', title: 'Agent approvals', content: <AgentApprovalsPanel /> },
    { id: 'wires', title: 'All wires', content: <WiresPanel kind="wires" /> },
  ];
  return (
    <Page title="Approvals" intro="Review wires and agent requests. Requests that aren’t approved in time expire.">
      <NeedsCompany>
        <Tabs
          label="Approvals"
          tabs={tabs}
          value={tabs.some(({ id }) => id === tab) ? tab : 'bank'}
          onChange={(next) =>
            void navigate({ search: ({ company }) => (company === undefined ? { tab: next } : { company, tab: next }) })
          }
        />
      </NeedsCompany>
    </Page>
  );
}

const MAX_AGENTS = 60;
const MAX_EACH = 50;
const ALL = 'all';

interface Requests {
  list: readonly AgentApproval[];
  nameOf: (agentId: string) => string;
  isLoading: boolean;
  isCut: boolean;
  error: unknown;
  retry: () => void;
}

function useRequests(status: string): Requests {
  const trpc = useTRPC();
  const company = useCompany();
  const agents = useQuery(trpc.agents.list.queryOptions({ company_id: company.id, limit: MAX_AGENTS }));
  const known = agents.data?.data ?? [];
  const lists = useQueries({
    queries: known.map(({ id }) =>
      trpc.agentApprovals.list.queryOptions({
        agent_id: id,
        company_id: company.id,
        status: asFilter<AgentApproval['status']>(status === ALL ? undefined : status),
        limit: MAX_EACH,
      }),
    ),
  });
  const failed = lists.find((list) => list.isError && list.data === undefined);
  return {
    list: mergeNewest(lists.map(({ data }) => data?.data ?? [])),
    nameOf: (agentId) => known.find(({ id }) => id === agentId)?.name ?? agentId,
    isLoading: agents.isLoading || lists.some((list) => list.isLoading),
    isCut: agents.data?.has_more === true || lists.some(({ data }) => data?.has_more === true),
    error: agents.data === undefined ? agents.error : failed?.error,
    retry: () => void (agents.data === undefined ? agents.refetch() : failed?.refetch()),
  };
}

export function AgentApprovalsPanel(): React.JSX.Element {
  const { search, setSearch } = useListSearch();
  const { status, open } = search;
  const shown = status ?? 'pending';
  const requests = useRequests(shown);
  const close = useClosePanel(() => setSearch({ open: undefined }));
  const columns: Column<AgentApproval>[] = [
    {
      title: 'Request',
      cell: ({ id, title }) => <OpenButton id={id}>{title}</OpenButton>,
    },
    {
      title: 'Agent',
      cell: ({ agent_id }) => <RecordLink record={{ id: agent_id }} text={requests.nameOf(agent_id)} />,
    },
    { title: 'Status', cell: (approval) => <StatusBadge status={approval.status} /> },
    { title: 'Risk', wide: true, cell: ({ risk }) => (risk ? sentenceCase(risk) : '–') },
    { title: 'Requested', wide: true, cell: ({ requested_at }) => <Instant at={requested_at} /> },
    { title: 'Time left', cell: (approval) => <TimeLeft approval={approval} /> },
  ];
  return (
    <>
      <FilterBar
        label="Filter agent approvals"
        isSet={status !== undefined}
        onClear={() => setSearch({ status: undefined })}
      >
        <SelectField
          label="Status"
          value={shown}
          onChange={({ target }) => setSearch({ status: target.value === 'pending' ? undefined : target.value })}
        >
          <option value={ALL}>Any</option>
          <Options values={optionsOf('agentApprovals.list', 'status')} />
        </SelectField>
      </FilterBar>
      <Panel title="Agent approvals" flush>
        {requests.error != null && (
          <div className="px-5 pb-4">
            <ErrorState error={requests.error} onRetry={requests.retry} />
          </div>
        )}
        {requests.isLoading ? (
          <div className="px-5 pb-4">
            <Loading label="Loading agent approvals" />
          </div>
        ) : (
          <SimpleTable
            label="Agent approvals"
            rows={requests.list}
            columns={columns}
            keyOf={({ id }) => id}
            empty={requests.error == null && <NoRequests isFiltered={status !== undefined} />}
          />
        )}
        {requests.isCut && (
          <p className="px-5 py-2 text-sm text-muted">
            Shows the newest {MAX_EACH} approvals of each of the newest {MAX_AGENTS} agents. Find older ones on each
            agent’s page.
          </p>
        )}
      </Panel>
      {open !== undefined && <AgentApprovalDialog id={open} onClose={close} />}
    </>
  );
}

function NoRequests({ isFiltered }: { isFiltered: boolean }): React.JSX.Element {
  if (isFiltered) return <EmptyState title="No approvals match the filters" />;
  return (
    <EmptyState title="No requests waiting for approval">Requests from this company’s agents appear here.</EmptyState>
  );
}
