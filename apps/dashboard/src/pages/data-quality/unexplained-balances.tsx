import { Link } from '@tanstack/react-router';
import { Badge } from '../../components/badge.tsx';
import type { Column } from '../../components/data-table.tsx';
import { ConnectionName } from '../../components/links.tsx';
import { ExactAmount, Money } from '../../components/money.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { EmptyState } from '../../components/states.tsx';
import { Day } from '../../components/time.tsx';
import { type NamedConnection, useConnectionNames } from '../../lib/connection-names.ts';
import { comparedRows, type Reconciliation } from './data-quality.view.ts';
import { FindingPanel } from './finding-panel.tsx';

function columnsOf(names: ReadonlyMap<string, NamedConnection>): readonly Column<Reconciliation>[] {
  return [
    {
      id: 'connection',
      title: 'Connection',
      cell: ({ connection_id }) => <ConnectionName id={connection_id} names={names} />,
    },
    {
      id: 'opening',
      title: 'Balance before',
      align: 'end',
      wide: true,
      cell: (row) => <BalanceOf cents={row.opening_cents} currency={row.currency} day={row.from} />,
    },
    {
      id: 'posted',
      title: 'Posted since',
      align: 'end',
      wide: true,
      cell: ({ posted_cents, posted_string, currency }) => (
        <ExactAmount cents={posted_cents} digits={posted_string} currency={currency} />
      ),
    },
    {
      id: 'closing',
      title: 'Newest balance',
      align: 'end',
      wide: true,
      cell: (row) => <BalanceOf cents={row.closing_cents} currency={row.currency} day={row.to} />,
    },
    {
      id: 'unexplained',
      title: 'Unexplained',
      align: 'end',
      cell: ({ unexplained_cents, unexplained_string, currency, status }) => (
        <>
          <ExactAmount cents={unexplained_cents} digits={unexplained_string} currency={currency} />
          <p>{status === 'warn' ? <Badge tone="warn">Unexplained</Badge> : <Badge tone="good">Matches</Badge>}</p>
        </>
      ),
    },
    { id: 'rows', title: 'Compared', cell: (row) => <Compared row={row} /> },
  ];
}

function BalanceOf({ cents, currency, day }: { cents: number; currency: string; day: string }): React.JSX.Element {
  return (
    <>
      <Money cents={cents} currency={currency} />
      <p className="text-xs text-muted">
        <Day day={day} />
      </p>
    </>
  );
}

function Compared({ row }: { row: Reconciliation }): React.JSX.Element {
  const { balances, transactions } = comparedRows(row);
  return (
    <span className="flex flex-col items-start">
      <Link to="/balances" search={balances} className="py-0.5 text-accent underline">
        Balances
      </Link>
      <Link to="/transactions" search={transactions} className="py-0.5 text-accent underline">
        Transactions
      </Link>
    </span>
  );
}

export function UnexplainedBalances({ rows }: { rows: readonly Reconciliation[] }): React.JSX.Element {
  return (
    <FindingPanel
      label="Unexplained balances"
      rows={rows}
      columns={columnsOf(useConnectionNames(useCompany().id))}
      keyOf={({ connection_id }) => connection_id ?? ''}
      empty={
        <EmptyState title="Nothing to compare yet">
          It takes two balances of one connection, with transactions from the day of the earlier one on.
        </EmptyState>
      }
    >
      The newest balance of each connection against one of about a month before: what it changed by should be what was
      posted in between. A difference of more than one percent of the balance, and of more than 100 minor units, is a
      finding. A bank may count rows that it does not list yet; else a transaction is missing, or a balance is wrong.
    </FindingPanel>
  );
}
