import { useQueries, useQuery } from '@tanstack/react-query';
import { type Outputs, useTRPC } from './trpc.ts';

/** The read of the newest companies, which all pages share. */
export const newestCompanies = { limit: 200 } as const;

interface Companies {
  all: readonly Outputs['companies']['get'][];
  hasMore: boolean;
  nameOf: (id: string) => string;
}

const noIds: ReadonlyArray<string | null> = [];

/** The newest companies that the key can access. Ids in `shown` that are not among them are loaded one by one. */
export function useCompanies(shown: ReadonlyArray<string | null> = noIds): Companies {
  const trpc = useTRPC();
  const list = useQuery(trpc.companies.list.queryOptions(newestCompanies));
  const all = list.data?.data ?? [];
  const isBeyond = (id: string | null): id is string => id !== null && !all.some((company) => company.id === id);
  const beyond = useQueries({
    queries: list.isSuccess
      ? shown.filter(isBeyond).map((id) => trpc.companies.get.queryOptions({ company_id: id }))
      : [],
  });
  const known = [...all, ...beyond.flatMap(({ data }) => data ?? [])];
  return {
    all,
    hasMore: list.data?.has_more === true,
    nameOf: (id) => known.find((company) => company.id === id)?.name ?? id,
  };
}
