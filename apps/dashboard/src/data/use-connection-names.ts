import { useQuery } from '@tanstack/react-query';
import { connectionName } from './connection-name.ts';
import { useTRPC } from './trpc.ts';

const READ = 200;

/** A bank connection under which rows of a company come in. */
export interface NamedConnection {
  /** As the rows carry it: the id of a registered connection, or the provider's own text. */
  id: string;
  name: string;
  registered: boolean;
}

/**
 * The connections of a company: the registered ones, and those that its newest balances name. A row may carry another
 * one all the same; it is shown by its id.
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
