import { createContext, useContext } from 'react';
import type { Outputs } from '../../lib/trpc.ts';

export type Company = Outputs['companies']['get'];

export const CompanyContext = createContext<Company | undefined>(undefined);

export function useCompany(): Company {
  const company = useContext(CompanyContext);
  if (!company) throw new Error('No company is chosen.');
  return company;
}

export function useZone(): string {
  return useContext(CompanyContext)?.timezone ?? 'UTC';
}
