import { Link } from '@tanstack/react-router';
import { type ReactNode, useContext } from 'react';
import { usePermission } from '../../lib/use-session.ts';
import { CompanyContext, useCompany } from './company-context.ts';

export function HowToAdd({ children }: { children: ReactNode }): ReactNode {
  return useCompany().status === 'dissolved' ? 'The company is dissolved and accepts no new records.' : children;
}

export function ImportLink({
  className = 'text-accent underline',
  children,
}: {
  className?: string;
  children: string;
}) {
  const may = usePermission();
  const company = useContext(CompanyContext);
  if (!may('bank.transactions.ingest') || company === undefined || company.status === 'dissolved') return null;
  return (
    <Link to="/transactions/import" className={className}>
      {children}
    </Link>
  );
}
