import { useQuery } from '@tanstack/react-query';
import { Badge } from '../../components/badge.tsx';
import { useTRPC } from '../../lib/trpc.ts';

const MOST_COUNTED = 20;

/** How many critical flags of the agent are open, in the list of agents. */
export function CriticalFlagCount({ agentId }: { agentId: string }): React.JSX.Element | string {
  const trpc = useTRPC();
  const { data: flags } = useQuery(
    trpc.agentFlags.list.queryOptions({
      agent_id: agentId,
      status: 'open',
      severity: 'critical',
      limit: MOST_COUNTED,
    }),
  );
  if (flags === undefined || flags.data.length === 0) return '–';
  return (
    <Badge tone="bad">
      {flags.data.length}
      {flags.has_more && '+'} critical
    </Badge>
  );
}
