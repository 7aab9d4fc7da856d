import { createContext, useContext } from 'react';
import type { Outputs } from '../data/trpc.ts';

export type Company = Outputs['companies']['get'];

/** The company that the page is about; undefined while the account has none. */
export const CompanyContext = createContext<Company | undefined>(undefined);

/** The chosen company, for pages that `NeedsCompany` stands above. */
export function useCompany(): Company {
  const company = useContext(CompanyContext);
  if (!company) throw new Error('No company is chosen.');
  return company;
}

/** The zone in which moments are shown: the company's, as figures are counted in it too. */
export function useZone(): string {
  return useContext(CompanyContext)?.timezone ?? 'UTC';
}
