import { useQueries, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { isFirstTry } from '../../lib/first-read.ts';
import { mayPass } from '../../lib/query-client.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { newestCompanies } from '../../lib/use-companies.ts';
import type { Company } from './company-context.ts';
import { defaultCompany } from './default-company.ts';

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
 * The company in the URL, even an unknown one; else the one that this tab shows, the last one of this browser, or the one
 * whose data arrived last. It is in the URL from then on, so that every copied link names it. A company outside the newest
 * 200 is loaded by its id.
 */
export function useChosenCompany(): ChosenCompany {
  const trpc = useTRPC();
  const navigate = useNavigate();
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
  const first = useDefaultCompany(companies, mayChoose);
  const company = listed ?? single.data ?? (mayChoose ? first.company : undefined);
  useEffect(() => {
    if (!company) return;
    setShown(company.id);
    localStorage.setItem(STORED, company.id);
    if (requested !== undefined) return;
    const search = (before: object): object => ({ ...before, company: company.id });
    void navigate({ to: '.', search, hash: true, state: true, replace: true, resetScroll: false, ignoreBlocker: true });
  }, [company, requested, navigate]);
  return {
    companies: company && !companies.includes(company) ? [company, ...companies] : companies,
    hasMore: list.data?.has_more === true,
    company,
    isUnknown: company === undefined && requested !== undefined && isDenied,
    // A dialog may read the same company, which must not replace the page.
    isLoading: list.isLoading || (company === undefined && (single.isLoading || first.isLoading)),
    error: company === undefined && !isDenied ? (list.error ?? single.error) : null,
    retry: () => void (list.error ? list.refetch() : single.refetch()),
  };
}

/** One batch of reads. */
const MOST_COMPARED = 12;

/** The choice of a first visit; a dissolved company is chosen only if there is no other. */
function useDefaultCompany(
  companies: readonly Company[],
  isAsked: boolean,
): { company: Company | undefined; isLoading: boolean } {
  const trpc = useTRPC();
  const active = companies.filter(({ status }) => status !== 'dissolved');
  const offered = active.length > 0 ? active : companies;
  const compared = isAsked && offered.length > 1 ? offered.slice(0, MOST_COMPARED) : [];
  const freshness = useQueries({
    queries: compared.map(({ id }) => trpc.financials.freshness.queryOptions({ company_id: id })),
  });
  // A failed read does not keep the page closed.
  const isLoading = freshness.some(isFirstTry);
  const read = freshness.flatMap(({ data }) => data ?? []);
  return { company: isLoading ? undefined : defaultCompany(offered, read), isLoading };
}
