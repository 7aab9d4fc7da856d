import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type BalanceFilter, balanceSearch, type RowFilter, transactionSearch } from './rows.view.ts';

/** Class of a figure that opens its rows. */
export const opensRows =
  'rounded-xs underline decoration-line-strong decoration-dotted decoration-1 underline-offset-4 hover:decoration-current hover:decoration-solid';

interface FigureLinkProps {
  /** Describes the rows to screen readers: `Transactions of Oct 2026`. */
  title: string;
  children: ReactNode;
}

/** A figure that opens the transactions it consists of. */
export function TransactionsLink({ rows, title, children }: FigureLinkProps & { rows: RowFilter }): React.JSX.Element {
  return (
    <Link to="/transactions" search={transactionSearch(rows)} title={title} className={opensRows}>
      {children}
    </Link>
  );
}

/** A figure that opens the balances it consists of. */
export function BalancesLink({ title, children, ...balances }: FigureLinkProps & BalanceFilter): React.JSX.Element {
  return (
    <Link to="/balances" search={balanceSearch(balances)} title={title} className={opensRows}>
      {children}
    </Link>
  );
}

export function StatementLink({ id, title, children }: FigureLinkProps & { id: string }): React.JSX.Element {
  return (
    <Link to="/financials" search={{ snapshot: id }} title={title} className={opensRows}>
      {children}
    </Link>
  );
}
