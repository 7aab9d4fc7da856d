import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTRPC } from '../lib/trpc.ts';

export function AgentName({ id }: { id: string }): React.JSX.Element {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.agents.get.queryOptions({ agent_id: id }));
  return (
    <Link to="/agents/$agentId" params={{ agentId: id }} title={id} className="text-accent underline">
      {data?.name ?? id}
    </Link>
  );
}
