import { useQuery } from '@tanstack/react-query';
import { Badge } from '../../components/badge.tsx';
import { useCriticalFlagsQuery } from './flag-queries.ts';

/** The number of the agent's open critical flags, in the list of agents. */
export function CriticalFlagCount({ agentId }: { agentId: string }): React.JSX.Element | string {
  const { data: flags } = useQuery(useCriticalFlagsQuery()(agentId));
  if (flags === undefined || flags.data.length === 0) return '–';
  return (
    <Badge tone="bad">
      {flags.data.length}
      {flags.has_more && '+'} critical
    </Badge>
  );
}
