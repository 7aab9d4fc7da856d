import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTRPC } from '../data/trpc.ts';
import type { Company } from './company-context.ts';

const STORED = 'company';

export interface ChosenCompany {
  companies: readonly Company[];
  company: Company | undefined;
  isLoading: boolean;
  error: unknown;
  retry: () => void;
}

/**
 * The company in the address; without one, the one that was looked at last, or the newest that is not dissolved. One
 * that is not among the newest two hundred is read by its id.
 */
export function useChosenCompany(): ChosenCompany {
  const trpc = useTRPC();
  const { company: wanted } = useSearch({ from: '/shell' });
  const list = useQuery(trpc.companies.list.queryOptions({ limit: 200 }));
  const companies = list.data?.data ?? [];
  const id = wanted ?? localStorage.getItem(STORED) ?? undefined;
  const listed = companies.find((company) => company.id === id);
  const beyond = useQuery(
    trpc.companies.get.queryOptions(
      { company_id: id ?? '' },
      { enabled: id !== undefined && list.isSuccess && listed === undefined, retry: false },
    ),
  );
  const fallback = beyond.isLoading
    ? undefined
    : (companies.find(({ status }) => status !== 'dissolved') ?? companies[0]);
  const company = listed ?? beyond.data ?? fallback;
  useEffect(() => {
    if (company) localStorage.setItem(STORED, company.id);
  }, [company]);
  return {
    companies: company && !companies.includes(company) ? [company, ...companies] : companies,
    company,
    isLoading: list.isLoading || beyond.isLoading,
    error: list.error,
    retry: () => void list.refetch(),
  };
}
