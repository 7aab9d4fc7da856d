import { useQuery } from '@tanstack/react-query';
import { connectionName } from './connection-name.ts';
import { useTRPC } from './trpc.ts';

const READ = 200;

export interface NamedConnection {
  /** The id of a registered connection, or the provider's own text, as rows carry it. */
  id: string;
  name: string;
  registered: boolean;
}

/**
 * Loads a company's registered connections and those of its newest balances. A row of another connection shows its id.
 */
export function useConnectionNames(companyId: string): ReadonlyMap<string, NamedConnection> {
  const trpc = useTRPC();
  const registered = useQuery(trpc.bank.connections.list.queryOptions({ company_id: companyId, limit: READ }));
  const balances = useQuery(trpc.cash.balances.list.queryOptions({ company_id: companyId, latest: true, limit: READ }));
  const names = new Map<string, NamedConnection>();
  for (const { connection_id: id } of balances.data?.data ?? []) {
    if (id !== null) names.set(id, { id, name: id, registered: false });
  }
  for (const connection of registered.data?.data ?? []) {
    names.set(connection.id, { id: connection.id, name: connectionName(connection), registered: true });
  }
  return names;
}
