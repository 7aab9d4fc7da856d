import { Link } from '@tanstack/react-router';
import type { Column } from '../../components/data-table.tsx';
import { ConnectionName, type ConnectionNameProps } from '../../components/links.tsx';
import { Money } from '../../components/money.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { EmptyState } from '../../components/states.tsx';
import { Day, Instant } from '../../components/time.tsx';
import { type NamedConnection, useConnectionNames } from '../../lib/connection-names.ts';
import type { SuspectedTransfers as Transfers } from './data-quality.view.ts';
import { FindingPanel } from './finding-panel.tsx';

type Transfer = Transfers['latest'][number];

function columnsOf(names: ReadonlyMap<string, NamedConnection>): readonly Column<Transfer>[] {
  return [
    {
      id: 'amount',
      title: 'Amount',
      cell: ({ amount_cents, currency }) => <Money cents={amount_cents} currency={currency} />,
    },
    {
      id: 'out',
      title: 'Money out',
      cell: (row) => (
        <Side transaction={row.out_transaction_id} at={row.out_posted_at} id={row.out_connection_id} names={names} />
      ),
    },
    {
      id: 'in',
      title: 'Money in',
      cell: (row) => (
        <Side transaction={row.in_transaction_id} at={row.in_posted_at} id={row.in_connection_id} names={names} />
      ),
    },
  ];
}

function Side({ transaction, at, ...connection }: ConnectionNameProps & { transaction: string; at: string }) {
  return (
    <>
      <Link to="/transactions" search={{ open: transaction }} className="text-accent underline">
        <Instant at={at} />
      </Link>
      <p className="text-xs">
        <ConnectionName {...connection} />
      </p>
    </>
  );
}

export function SuspectedTransfers({ latest, excluded, from }: Transfers): React.JSX.Element {
  const company = useCompany();
  return (
    <FindingPanel
      label="Suspected transfers"
      rows={latest.toReversed()}
      columns={columnsOf(useConnectionNames(company.id))}
      keyOf={({ out_transaction_id }) => out_transaction_id}
      empty={<EmptyState title="No suspected transfers" />}
    >
      Equal amounts out of one connection and into another within three days, since <Day day={from} />, the newest
      first. {excluded ? 'Burn and runway leave them out.' : 'They count as money out and money in.'} The{' '}
      <Link to="/companies/$companyId" params={{ companyId: company.id }} className="text-accent underline">
        company’s settings
      </Link>{' '}
      say whether they count.
    </FindingPanel>
  );
}
