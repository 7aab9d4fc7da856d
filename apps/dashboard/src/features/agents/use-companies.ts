import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../../data/trpc.ts';
import type { Company } from '../../shell/company-context.ts';

interface Companies {
  all: readonly Company[];
  /** The company's name; its id where it is not among those read. */
  nameOf: (id: string) => string;
}

/** The companies that the key reaches, as the shell has read them. */
export function useCompanies(): Companies {
  const trpc = useTRPC();
  const list = useQuery(trpc.companies.list.queryOptions({ limit: 200 }));
  const all = list.data?.data ?? [];
  return { all, nameOf: (id) => all.find((company) => company.id === id)?.name ?? id };
}
