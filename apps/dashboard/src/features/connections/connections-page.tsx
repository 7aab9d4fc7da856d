import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { asFilter } from '../../data/as-filter.ts';
import { connectionName } from '../../data/connection-name.ts';
import { useKeysetRows } from '../../data/keyset-rows.ts';
import { type Outputs, useTRPC } from '../../data/trpc.ts';
import { usePermission } from '../../session/use-session.ts';
import { useCompany } from '../../shell/company-context.ts';
import { NeedsCompany } from '../../shell/needs-company.tsx';
import { StatusBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { type Column, DataTable, rowLink } from '../../ui/data-table.tsx';
import { FilterBar, FilterChoice } from '../../ui/filter-bar.tsx';
import { Page, Panel } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Ago } from '../../ui/time.tsx';
import { ConnectDialog } from './connect-dialog.tsx';
import type { Connection } from './connection.view.ts';

type Freshness = Outputs['financials']['freshness'];

/** The bank connections of the company. */
export function ConnectionsPage(): React.JSX.Element {
  return (
    <NeedsCompany>
      <CompanyConnections />
    </NeedsCompany>
  );
}

function CompanyConnections(): React.JSX.Element {
  const may = usePermission();
  const company = useCompany();
  const navigate = useNavigate({ from: '/connections' });
  const { status } = useSearch({ from: '/shell/connections' });
  const [connecting, setConnecting] = useState(false);
  const put = (next: string | undefined): void =>
    void navigate({ search: (search) => ({ ...search, status: next }), replace: true });
  return (
    <Page
      title="Bank connections"
      intro="Where balances and transactions come from, and how recent they are."
      actions={
        may('bank.connections.create') &&
        company.status !== 'dissolved' && (
          <Button variant="primary" onClick={() => setConnecting(true)}>
            Connect bank
          </Button>
        )
      }
    >
      <FilterBar label="Filter connections" isSet={status !== undefined} onClear={() => put(undefined)}>
        <FilterChoice
          label="Status"
          value={status}
          onChange={put}
          choices={['pending', 'active', 'error', 'disconnected']}
        />
      </FilterBar>
      <ConnectionTable status={status} />
      {connecting && (
        <ConnectDialog
          onClose={() => setConnecting(false)}
          onDone={({ id }) => void navigate({ to: '/connections/$connectionId', params: { connectionId: id } })}
        />
      )}
    </Page>
  );
}

const columns = (freshness: Freshness | undefined): Column<Connection>[] => [
  {
    id: 'name',
    title: 'Connection',
    grow: 3,
    cell: (connection) => (
      <div className="flex flex-col">
        <Link
          to="/connections/$connectionId"
          params={{ connectionId: connection.id }}
          className={`${rowLink} truncate text-accent hover:underline`}
        >
          {connectionName(connection)}
        </Link>
        <span className="truncate text-xs text-muted">{connection.provider}</span>
      </div>
    ),
  },
  { id: 'status', title: 'Status', grow: 1.7, whole: true, cell: ({ status }) => <StatusBadge status={status} /> },
  {
    id: 'balance',
    title: 'Balance',
    grow: 2,
    whole: true,
    cell: (connection) => <Arrival connection={connection} kind="balance" freshness={freshness} />,
  },
  {
    id: 'transactions',
    title: 'Transactions',
    grow: 2,
    whole: true,
    wide: true,
    cell: (connection) => <Arrival connection={connection} kind="transactions" freshness={freshness} />,
  },
  {
    id: 'statements',
    title: 'Statements',
    grow: 1.4,
    wide: true,
    whole: true,
    cell: ({ freshness: { statements } }) => (statements === null ? '–' : <Ago at={statements} />),
  },
  {
    id: 'sync',
    title: 'Last sync',
    grow: 2,
    wide: true,
    whole: true,
    cell: ({ last_sync_status, last_synced_at }) =>
      last_synced_at === null || last_sync_status === null ? (
        '–'
      ) : (
        <span className="flex flex-col items-start gap-1">
          <Ago at={last_synced_at} />
          <StatusBadge status={last_sync_status} />
        </span>
      ),
  },
];

interface ArrivalProps {
  connection: Connection;
  kind: 'balance' | 'transactions';
  freshness: Freshness | undefined;
}

/** When data of a kind last came, and how that compares with what is expected. */
function Arrival({ connection, kind, freshness }: ArrivalProps): React.JSX.Element {
  const at = connection.freshness[kind];
  const entry = freshness?.streams.find(({ connection_id }) => connection_id === connection.id)?.[kind];
  return (
    <span className="flex flex-col items-start gap-1" title={entry?.reason}>
      {at === null ? 'Never' : <Ago at={at} />}
      {entry && entry.grade !== 'never' && connection.status !== 'disconnected' && <StatusBadge status={entry.grade} />}
    </span>
  );
}

function ConnectionTable({ status }: { status: string | undefined }): React.JSX.Element {
  const trpc = useTRPC();
  const company = useCompany();
  const filters = { company_id: company.id, status: asFilter<Connection['status']>(status) };
  const freshness = useQuery(trpc.financials.freshness.queryOptions({ company_id: company.id }));
  const rows = useKeysetRows((page) => trpc.bank.connections.list.queryOptions({ ...filters, ...page }));
  return (
    <Panel title="Connections" flush>
      <DataTable
        label="Bank connections"
        rows={rows}
        columns={columns(freshness.data)}
        keyOf={({ id }) => id}
        rowHeight={64}
        empty={
          status === undefined ? (
            <EmptyState title="No bank connections yet">
              Connect one that this service pulls, or one that posts its rows under the connection’s id. The provider
              “sandbox” invents a year of data to try things with.
            </EmptyState>
          ) : (
            <EmptyState title="No connections match the filters" />
          )
        }
      />
    </Panel>
  );
}
