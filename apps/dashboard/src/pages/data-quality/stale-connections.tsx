import { useQuery } from '@tanstack/react-query';
import { StatusBadge } from '../../components/badge.tsx';
import type { Column } from '../../components/data-table.tsx';
import { ConnectionName } from '../../components/links.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { EmptyState, ErrorState, Loading } from '../../components/states.tsx';
import { type NamedConnection, useConnectionNames } from '../../lib/connection-names.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { type Stream, staleStreams } from './data-quality.view.ts';
import { FindingPanel } from './finding-panel.tsx';

function columnsOf(names: ReadonlyMap<string, NamedConnection>): readonly Column<Stream>[] {
  return [
    {
      id: 'connection',
      title: 'Connection',
      cell: ({ connection_id }) => <ConnectionName id={connection_id} names={names} />,
    },
    { id: 'balance', title: 'Balance', cell: ({ balance }) => <Arrival entry={balance} /> },
    { id: 'transactions', title: 'Transactions', cell: ({ transactions }) => <Arrival entry={transactions} /> },
  ];
}

function Arrival({ entry: { grade, reason } }: { entry: Stream['balance'] }): React.JSX.Element {
  return (
    <>
      <StatusBadge status={grade} />
      <p className="mt-1 text-xs text-muted">{reason}</p>
    </>
  );
}

export function StaleConnections(): React.JSX.Element {
  const trpc = useTRPC();
  const { id } = useCompany();
  const names = useConnectionNames(id);
  const query = useQuery(trpc.financials.freshness.queryOptions({ company_id: id }));
  if (!query.data && query.error) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <Loading label="Reading what came when" lines={6} />;
  return (
    <FindingPanel
      label="Stale connections"
      rows={staleStreams(query.data)}
      columns={columnsOf(names)}
      keyOf={({ connection_id }) => connection_id ?? ''}
      empty={<EmptyState title="No stale connections" />}
    >
      No data for more than six times the expected interval. Sync the connection, or check the system that posts its
      data.
    </FindingPanel>
  );
}
