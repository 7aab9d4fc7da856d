import { useQuery } from '@tanstack/react-query';
import { type Outputs, useTRPC } from './trpc.ts';

const READ = 200;

interface Companies {
  all: readonly Outputs['companies']['get'][];
  /** The company's name; its id where it is not among those read. */
  nameOf: (id: string) => string;
}

/** The newest companies that the key reaches, as the company switcher reads them too. */
export function useCompanies(): Companies {
  const trpc = useTRPC();
  const list = useQuery(trpc.companies.list.queryOptions({ limit: READ }));
  const all = list.data?.data ?? [];
  return { all, nameOf: (id) => all.find((company) => company.id === id)?.name ?? id };
}
