import { useQueries, useQuery } from '@tanstack/react-query';
import { type Outputs, useTRPC } from '../../../lib/trpc.ts';
import { MOST_AGENTS, useOverviewQueries } from '../overview-queries.ts';

interface CriticalFlags {
  flags: readonly Outputs['agentFlags']['get'][];
  /** How many of the agents were read, the newest; undefined if all were. */
  newestRead: number | undefined;
}

const MOST_READ = 20;

/** The open critical flags of the agents that are attached to the company. No list has those of all agents. */
export function useCriticalFlags(company_id: string): CriticalFlags {
  const trpc = useTRPC();
  const { data: agents = [], has_more = false } = useQuery(useOverviewQueries(company_id).agents).data ?? {};
  const flags = useQueries({
    queries: agents.map(({ id }) =>
      trpc.agentFlags.list.queryOptions({
        agent_id: id,
        company_id,
        status: 'open',
        severity: 'critical',
        limit: MOST_READ,
      }),
    ),
  });
  return { flags: flags.flatMap(({ data }) => data?.data ?? []), newestRead: has_more ? MOST_AGENTS : undefined };
}
