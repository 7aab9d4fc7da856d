import { connectionName } from '@finhook/contracts/connection-name';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { StatusBadge, sentenceCase } from '../../components/badge.tsx';
import { Page } from '../../components/page.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { rowLink } from '../../components/table-cells.tsx';
import type { Column } from '../../components/table-head.tsx';
import { Ago } from '../../components/time.tsx';
import { useTRPC } from '../../lib/trpc.ts';
import { OperationButton } from '../../operation/operation-dialog.tsx';
import { ResourceList } from '../../operation/resource-list.tsx';
import type { Connection } from './connection.view.ts';
import { ConnectDialog } from './connection-dialogs.tsx';
import { HandOverDialog } from './connection-owner.tsx';
import { balanceDay, type Freshness, freshnessReason } from './freshness.view.ts';

export function ConnectionsPage(): React.JSX.Element {
  const trpc = useTRPC();
  const company = useCompany();
  const navigate = useNavigate();
  const freshness = useQuery(trpc.financials.freshness.queryOptions({ company_id: company.id }));
  return (
    <Page
      title="Bank accounts"
      intro="The sources of your balances and transactions, and when data last arrived."
      actions={
        <>
          <OperationButton operation="bank.connections.setOwner" label="Hand over data…" needsCompany>
            {(close) => <HandOverDialog company_id={company.id} name="data" onClose={close} />}
          </OperationButton>
          <OperationButton variant="primary" operation="bank.connections.create" label="Connect bank" needsCompany>
            {(close) => (
              <ConnectDialog
                onClose={close}
                onDone={({ id }) => void navigate({ to: '/connections/$connectionId', params: { connectionId: id } })}
              />
            )}
          </OperationButton>
        </>
      }
    >
      <ResourceList
        list="bank.connections.list"
        title="Accounts"
        noun="bank accounts"
        fixed={{ company_id: company.id }}
        filters={{ status: {} }}
        columns={columns(freshness.data, company.timezone)}
        rowHeight={64}
        empty={{
          title: 'No bank accounts yet',
          text: 'Connect a bank to sync, or one that posts its own data. To try it out, choose the sandbox provider, which generates a year of data.',
        }}
      />
    </Page>
  );
}

const columns = (freshness: Freshness | undefined, zone: string): Column<Connection>[] => [
  {
    title: 'Account',
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
        <span className="truncate text-xs text-muted">
          {connection.provider}
          {/* A phone has no room for the column. */}
          {connection.status !== 'active' && <span className="md:hidden"> · {sentenceCase(connection.status)}</span>}
        </span>
      </div>
    ),
  },
  { title: 'Status', grow: 1.7, wide: true, nowrap: true, cell: ({ status }) => <StatusBadge status={status} /> },
  {
    title: 'Balance',
    grow: 2,
    nowrap: true,
    cell: (connection) => <LastReceived connection={connection} kind="balance" freshness={freshness} zone={zone} />,
  },
  {
    title: 'Transactions',
    grow: 2,
    nowrap: true,
    wide: true,
    cell: (connection) => (
      <LastReceived connection={connection} kind="transactions" freshness={freshness} zone={zone} />
    ),
  },
  {
    title: 'Statements',
    grow: 1.4,
    wide: true,
    nowrap: true,
    cell: ({ freshness: { statements } }) => (statements === null ? '–' : <Ago at={statements} />),
  },
  {
    title: 'Last sync',
    grow: 2,
    wide: true,
    nowrap: true,
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

interface LastReceivedProps {
  connection: Connection;
  kind: 'balance' | 'transactions';
  freshness: Freshness | undefined;
  zone: string;
}

/** A balance that arrived a minute ago may be of last week, so its day is shown, not its arrival. */
function LastReceived({ connection, kind, freshness, zone }: LastReceivedProps): React.JSX.Element {
  const at = connection.freshness[kind];
  const entry = freshness?.streams.find(({ connection_id }) => connection_id === connection.id)?.[kind];
  const graded = freshness && { at: freshness.as_of, zone };
  const balance = entry && graded && balanceDay(entry, graded);
  return (
    <span className="flex flex-col items-start gap-1" title={entry && graded && freshnessReason(kind, entry, graded)}>
      {balance === undefined ? (
        at === null ? (
          'Never'
        ) : (
          <Ago at={at} />
        )
      ) : (
        <span>
          {balance.day}
          {balance.age !== undefined && <span className="hidden md:inline"> ({balance.age})</span>}
        </span>
      )}
      {entry && entry.grade !== 'never' && connection.status !== 'disconnected' && <StatusBadge status={entry.grade} />}
    </span>
  );
}
