import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { connectionName } from '../../lib/connection-names.ts';
import { useTRPC } from '../../lib/trpc.ts';

export function WireConnection({ id }: { id: string }): React.JSX.Element {
  return id.startsWith('conn_') ? <RegisteredConnection id={id} /> : <code>{id}</code>;
}

function RegisteredConnection({ id }: { id: string }): React.JSX.Element {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.bank.connections.get.queryOptions({ connection_id: id }));
  return (
    <Link to="/connections/$connectionId" params={{ connectionId: id }} className="text-accent underline">
      {data ? connectionName(data) : id}
    </Link>
  );
}
