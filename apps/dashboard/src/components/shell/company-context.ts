import { createContext, useContext } from 'react';
import type { Outputs } from '../../lib/trpc.ts';

export type Company = Outputs['companies']['get'];

export const CompanyContext = createContext<Company | undefined>(undefined);

/** The chosen company, for pages inside `NeedsCompany`. */
export function useCompany(): Company {
  const company = useContext(CompanyContext);
  if (!company) throw new Error('No company is chosen.');
  return company;
}

/** The time zone for timestamps: the company's, which its figures use too. */
export function useZone(): string {
  return useContext(CompanyContext)?.timezone ?? 'UTC';
}
