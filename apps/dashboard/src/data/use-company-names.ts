import { useQuery } from '@tanstack/react-query';
import { useTRPC } from './trpc.ts';

const NAMES = 200;

/** The newest companies of the account by id, as the company switcher reads them too. */
export function useCompanyNames(): ReadonlyMap<string, string> {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.companies.list.queryOptions({ limit: NAMES }));
  return new Map(data?.data.map(({ id, name }) => [id, name]));
}
