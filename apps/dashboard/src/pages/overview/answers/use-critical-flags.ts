import { useQueries, useQuery } from '@tanstack/react-query';
import { type Outputs, useTRPC } from '../../../lib/trpc.ts';
import { useOverviewQueries } from '../overview-queries.ts';

type Flag = Outputs['agentFlags']['get'];

const MOST_READ = 20;

/** The open critical flags of the agents that are attached to the company, which has few: each costs a read. */
export function useCriticalFlags(company_id: string): readonly Flag[] {
  const trpc = useTRPC();
  const agents = useQuery(useOverviewQueries(company_id).agents).data?.data ?? [];
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
  return flags.flatMap(({ data }) => data?.data ?? []);
}
