import { Link } from '@tanstack/react-router';
import { type ReactNode, useContext } from 'react';
import { EmptyState } from '../ui/states.tsx';
import { CompanyContext } from './company-context.ts';

/** Shows what is about one company once there is one; `useCompany` works inside. Another company begins anew. */
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
