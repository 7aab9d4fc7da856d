import { useQueries, useQuery } from '@tanstack/react-query';
import type { Outputs } from '../../../lib/trpc.ts';
import { useCriticalFlagsQuery } from '../../agents/flag-queries.ts';
import { MOST_AGENTS, useOverviewQueries } from '../overview-queries.ts';

interface CriticalFlags {
  flags: readonly Outputs['agentFlags']['get'][];
  /** The number of agents whose flags are read, the newest; undefined if all are. */
  newestRead: number | undefined;
}

/** The open critical flags of the agents that are attached to the company. No list has those of all agents. */
export function useCriticalFlags(company_id: string): CriticalFlags {
  const queryOf = useCriticalFlagsQuery();
  const { data: agents = [], has_more = false } = useQuery(useOverviewQueries(company_id).agents).data ?? {};
  const flags = useQueries({
    queries: agents.map(({ id }) => queryOf(id, company_id)),
  });
  return { flags: flags.flatMap(({ data }) => data?.data ?? []), newestRead: has_more ? MOST_AGENTS : undefined };
}
