import { Link } from '@tanstack/react-router';
import type { Column } from '../../components/data-table.tsx';
import { ConnectionName } from '../../components/links.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { EmptyState } from '../../components/states.tsx';
import { Ago } from '../../components/time.tsx';
import { type NamedConnection, useConnectionNames } from '../../lib/connection-names.ts';
import type { ChangedDuplicate } from './data-quality.view.ts';
import { FindingPanel } from './finding-panel.tsx';

function columnsOf(names: ReadonlyMap<string, NamedConnection>): readonly Column<ChangedDuplicate>[] {
  return [
    {
      id: 'transaction',
      title: 'Transaction',
      cell: ({ transaction_id, external_id }) => (
        <Link to="/transactions" search={{ open: transaction_id }} className="text-accent underline wrap-anywhere">
          {external_id}
        </Link>
      ),
    },
    {
      id: 'connection',
      title: 'Connection',
      wide: true,
      cell: ({ connection_id }) => <ConnectionName id={connection_id} names={names} />,
    },
    { id: 'differs', title: 'What differed', cell: ({ differs }) => <code>{differs.join(', ')}</code> },
    { id: 'times', title: 'Times', align: 'end', wide: true, cell: ({ times }) => times },
    { id: 'first', title: 'First seen', wide: true, cell: ({ first_seen_at }) => <Ago at={first_seen_at} /> },
    { id: 'last', title: 'Last seen', cell: ({ last_seen_at }) => <Ago at={last_seen_at} /> },
  ];
}

export function ChangedDuplicates({ rows }: { rows: readonly ChangedDuplicate[] }): React.JSX.Element {
  return (
    <FindingPanel
      label="Changed duplicates"
      rows={rows}
      columns={columnsOf(useConnectionNames(useCompany().id))}
      keyOf={({ transaction_id }) => transaction_id}
      empty={<EmptyState title="No changed duplicates" />}
    >
      Transactions that were sent again with another content and skipped: what is stored is what came first. Where the
      later one is right, post one that takes the stored one back, and the right one under another external id. The
      newest are listed; those of the last 30 days are counted.
    </FindingPanel>
  );
}
