import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useContext } from 'react';
import { asFilter } from '../../data/as-filter.ts';
import { useKeysetRows } from '../../data/keyset-rows.ts';
import { useTRPC } from '../../data/trpc.ts';
import { useCompanies } from '../../data/use-companies.ts';
import { OperationButton } from '../../operation/operation-dialog.tsx';
import { CompanyContext } from '../../shell/company-context.ts';
import { StatusBadge } from '../../ui/badge.tsx';
import { type Column, DataTable, rowLink } from '../../ui/data-table.tsx';
import { SelectField } from '../../ui/field.tsx';
import { FilterBar, FilterChoice, FilterText } from '../../ui/filter-bar.tsx';
import { Page, Panel } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Ago } from '../../ui/time.tsx';
import { type Agent, companiesOf } from './agent.view.ts';
import { CreateAgentDialog } from './agent-form-dialog.tsx';

/** The agents of the account. */
export function AgentsPage(): React.JSX.Element {
  const navigate = useNavigate();
  return (
    <Page
      title="Agents"
      intro="Programs that act for your companies: their activity, and their requests for approval."
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
      <AgentFilters />
      <AgentTable />
    </Page>
  );
}

function AgentFilters(): React.JSX.Element {
  const { q, status, provider, where } = useSearch({ from: '/shell/agents' });
  const navigate = useNavigate({ from: '/agents' });
  const company = useContext(CompanyContext);
  const put = (change: Partial<Record<'q' | 'status' | 'provider' | 'where', string | undefined>>): void =>
    void navigate({ search: (search) => ({ ...search, ...change }), replace: true });
  return (
    <FilterBar
      label="Filter agents"
      isSet={[q, status, provider, where].some((value) => value !== undefined)}
      onClear={() => put({ q: undefined, status: undefined, provider: undefined, where: undefined })}
    >
      <FilterText label="Name or email" value={q} onChange={(next) => put({ q: next })} />
      <FilterText label="Provider" value={provider} onChange={(next) => put({ provider: next })} />
      <FilterChoice
        label="Status"
        value={status}
        onChange={(next) => put({ status: next })}
        choices={[
          ['active', 'Active'],
          ['paused', 'Paused'],
        ]}
      />
      {company && (
        <SelectField
          label="Attached to"
          value={where ?? ''}
          onChange={(event) => put({ where: event.target.value || undefined })}
        >
          <option value="">Any company, or none</option>
          <option value="here">{company.name}</option>
        </SelectField>
      )}
    </FilterBar>
  );
}

function AgentTable(): React.JSX.Element {
  const trpc = useTRPC();
  const company = useContext(CompanyContext);
  const { nameOf } = useCompanies();
  const { q, status, provider, where } = useSearch({ from: '/shell/agents' });
  const filters = {
    q,
    provider,
    status: asFilter<Agent['status']>(status),
    company_id: where === 'here' ? company?.id : undefined,
  };
  const rows = useKeysetRows((page) => trpc.agents.list.queryOptions({ ...filters, ...page }));
  const columns: readonly Column<Agent>[] = [
    {
      id: 'name',
      title: 'Name',
      grow: 2,
      cell: ({ id, name }) => (
        <Link to="/agents/$agentId" params={{ agentId: id }} className={`${rowLink} text-accent hover:underline`}>
          {name}
        </Link>
      ),
    },
    { id: 'status', title: 'Status', grow: 1.2, whole: true, cell: (agent) => <StatusBadge status={agent.status} /> },
    { id: 'provider', title: 'Provider', wide: true, cell: (agent) => agent.provider },
    { id: 'model', title: 'Model', wide: true, cell: (agent) => agent.model ?? '–' },
    { id: 'companies', title: 'Companies', grow: 2, cell: (agent) => companiesOf(agent).map(nameOf).join(', ') || '–' },
    {
      id: 'updated',
      title: 'Changed',
      grow: 1.5,
      wide: true,
      whole: true,
      cell: (agent) => <Ago at={agent.updated_at} />,
    },
  ];
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <Panel title="All agents" flush>
      <DataTable
        label="Agents"
        rows={rows}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          isFiltered ? (
            <EmptyState title="No agents match the filters" />
          ) : (
            <EmptyState title="No agents yet">
              Create one, attach it to a company, and mint a key of scope agent for it. It then logs its actions and
              asks for approvals.
            </EmptyState>
          )
        }
      />
    </Panel>
  );
}
