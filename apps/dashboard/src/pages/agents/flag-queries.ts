import { useTRPC } from '../../lib/trpc.ts';

const MOST_READ = 20;

/** Returns the query of an agent's open critical flags: in one company, or in all. */
export function useCriticalFlagsQuery() {
  const { agentFlags } = useTRPC();
  return (agent_id: string, company_id?: string) =>
    agentFlags.list.queryOptions({ agent_id, company_id, status: 'open', severity: 'critical', limit: MOST_READ });
}
