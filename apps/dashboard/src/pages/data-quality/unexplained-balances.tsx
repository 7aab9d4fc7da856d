import { Link } from '@tanstack/react-router';
import { Badge } from '../../components/badge.tsx';
import { connectionColumn } from '../../components/links.tsx';
import { ExactAmount, Money } from '../../components/money.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { EmptyState } from '../../components/states.tsx';
import { rowLink } from '../../components/table-cells.tsx';
import { Day } from '../../components/time.tsx';
import { useConnectionNames } from '../../lib/connection-names.ts';
import { comparedRows, type Reconciliation } from './data-quality.view.ts';
import { FindingPanel } from './findings.tsx';

export function UnexplainedBalances({ rows }: { rows: readonly Reconciliation[] }): React.JSX.Element {
  const names = useConnectionNames(useCompany().id);
  return (
    <FindingPanel
      label="Unexplained balances"
      rows={rows}
      columns={[
        connectionColumn(names),
        {
          title: 'Opening balance',
          align: 'end',
          wide: true,
          cell: (row) => <BalanceOf cents={row.opening_cents} currency={row.currency} day={row.from} />,
        },
        {
          title: 'Transactions',
          align: 'end',
          wide: true,
          cell: ({ posted_cents, posted_string, currency }) => (
            <ExactAmount cents={posted_cents} digits={posted_string} currency={currency} />
          ),
        },
        {
          title: 'Closing balance',
          align: 'end',
          wide: true,
          cell: (row) => <BalanceOf cents={row.closing_cents} currency={row.currency} day={row.to} />,
        },
        {
          title: 'Unexplained',
          align: 'end',
          cell: ({ unexplained_cents, unexplained_string, currency, status }) => (
            <>
              <ExactAmount cents={unexplained_cents} digits={unexplained_string} currency={currency} />
              <p>{status === 'warn' ? <Badge tone="warn">Unexplained</Badge> : <Badge tone="good">Matches</Badge>}</p>
            </>
          ),
        },
        { title: 'View', cell: (row) => <Compared row={row} /> },
      ]}
      keyOf={({ connection_id }) => connection_id ?? ''}
      empty={
        <EmptyState title="Nothing to compare yet">
          Requires two balances of an account, and transactions from the day of the first one.
        </EmptyState>
      }
    >
      The change between two balances of an account, about a month apart, should equal the transactions in between. A
      difference of more than 1 % of the balance and more than 100 cents is unexplained: a transaction is missing, a
      balance is wrong, or the bank counts transactions that are still pending.
    </FindingPanel>
  );
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
      <Link to="/balances" search={balances} className="py-1 text-accent underline">
        Balances
      </Link>
      <Link to="/transactions" search={transactions} className={`${rowLink} py-1 text-accent underline`}>
        Transactions
      </Link>
    </span>
  );
}
