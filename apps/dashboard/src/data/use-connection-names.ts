import { useQuery } from '@tanstack/react-query';
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
  for (const { id, account_name, institution_name, account_last4 } of registered.data?.data ?? []) {
    const last4 = account_last4 === null ? '' : ` ··${account_last4}`;
    names.set(id, { id, name: `${account_name ?? institution_name ?? id}${last4}`, registered: true });
  }
  return names;
}
