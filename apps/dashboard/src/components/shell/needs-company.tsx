import { Link } from '@tanstack/react-router';
import { type ReactNode, useContext } from 'react';
import { EmptyState } from '../states.tsx';
import { CompanyContext } from './company-context.ts';

export function NeedsCompany({ children }: { children: ReactNode }): ReactNode {
  const company = useContext(CompanyContext);
  if (!company) {
    return (
      <EmptyState
        title="No companies yet"
        action={
          <Link to="/companies" className="text-accent underline">
            Create a company
          </Link>
        }
      >
        Balances, transactions and statements belong to a company.
      </EmptyState>
    );
  }
  return (
    <div key={company.id} className="contents">
      {children}
    </div>
  );
}
