import { useQueries } from '@tanstack/react-query';
import { useTRPC } from './trpc.ts';

const once = { retry: false } as const;

/** The names of companies, agents, cases and API keys by id; ids of other kinds, and of records that can't be read, have none. */
export function useRecordNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const trpc = useTRPC();
  const of = (prefix: string): string[] => ids.filter((id) => id.startsWith(prefix));
  const companies = useQueries({
    queries: of('co_').map((company_id) => trpc.companies.get.queryOptions({ company_id }, once)),
  });
  const agents = useQueries({
    queries: of('agent_').map((agent_id) => trpc.agents.get.queryOptions({ agent_id }, once)),
  });
  const cases = useQueries({
    queries: of('case_').map((case_id) => trpc.cases.get.queryOptions({ case_id }, once)),
  });
  const keys = useQueries({
    queries: of('key_').map((key_id) => trpc.apiKeys.get.queryOptions({ key_id }, once)),
  });
  return new Map([
    ...[...companies, ...agents, ...keys].flatMap(({ data }) => (data ? [[data.id, data.name] as const] : [])),
    ...cases.flatMap(({ data }) => (data ? [[data.id, data.title] as const] : [])),
  ]);
}
