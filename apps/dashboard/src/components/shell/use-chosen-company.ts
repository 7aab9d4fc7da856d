import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { mayPass } from '../../lib/query-client.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { newestCompanies } from '../../lib/use-companies.ts';
import type { Company } from './company-context.ts';

const STORED = 'company';

export interface ChosenCompany {
  companies: readonly Company[];
  hasMore: boolean;
  company: Company | undefined;
  isUnknown: boolean;
  isLoading: boolean;
  error: unknown;
  retry: () => void;
}

/**
 * The company in the URL, even an unknown one; else the one that this tab shows, the last chosen in any tab, or the newest
 * that is not dissolved. A company outside the newest 200 is loaded by its id.
 */
export function useChosenCompany(): ChosenCompany {
  const trpc = useTRPC();
  const { company: requested } = useSearch({ from: '/shell' });
  const list = useQuery(trpc.companies.list.queryOptions(newestCompanies));
  const companies = list.data?.data ?? [];
  const [shown, setShown] = useState<string>();
  const id = requested ?? shown ?? localStorage.getItem(STORED) ?? undefined;
  const listed = companies.find((company) => company.id === id);
  const single = useQuery(
    trpc.companies.get.queryOptions(
      { company_id: id ?? '' },
      { enabled: id !== undefined && list.isSuccess && listed === undefined },
    ),
  );
  const isDenied = single.error !== null && !mayPass(single.error);
  const mayChoose = id === undefined || (requested === undefined && isDenied);
  const first = companies.find(({ status }) => status !== 'dissolved') ?? companies[0];
  const company = listed ?? single.data ?? (mayChoose ? first : undefined);
  useEffect(() => {
    if (!company) return;
    setShown(company.id);
    if (requested !== undefined) localStorage.setItem(STORED, company.id);
  }, [company, requested]);
  return {
    companies: company && !companies.includes(company) ? [company, ...companies] : companies,
    hasMore: list.data?.has_more === true,
    company,
    isUnknown: company === undefined && requested !== undefined && isDenied,
    // A dialog may read the same company, which must not replace the page.
    isLoading: list.isLoading || (company === undefined && single.isLoading),
    error: company === undefined && !isDenied ? (list.error ?? single.error) : null,
    retry: () => void (list.error ? list.refetch() : single.refetch()),
  };
}
