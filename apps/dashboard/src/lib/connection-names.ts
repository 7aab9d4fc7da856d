import { useQuery } from '@tanstack/react-query';
import { type Outputs, useTRPC } from './trpc.ts';

type Named = Pick<
  Outputs['bank']['connections']['get'],
  'institution_name' | 'account_name' | 'account_last4' | 'provider'
>;

/** `Example Bank · Operating ····4321`; falls back to the provider. */
export function connectionName({
  institution_name: bank,
  account_name: account,
  account_last4: last4,
  provider,
}: Named): string {
  const parts = [bank ?? (account === null ? provider : null), account].filter((part) => part !== null);
  return `${parts.join(' · ')}${last4 === null ? '' : ` ····${last4}`}`;
}

const READ = 200;

export interface NamedConnection {
  /** The id of a registered connection, or the provider's own text, as rows carry it. */
  id: string;
  name: string;
  registered: boolean;
  /** The connection that it continues. */
  replaces: string | null;
}

export function accountName(names: ReadonlyMap<string, NamedConnection>, id: string | null): string {
  return id === null ? 'Unassigned' : (names.get(id)?.name ?? id);
}

/** Registered connections, and those of the newest balances. */
export function useConnectionNames(companyId: string): ReadonlyMap<string, NamedConnection> {
  const trpc = useTRPC();
  const registered = useQuery(trpc.bank.connections.list.queryOptions({ company_id: companyId, limit: READ }));
  const balances = useQuery(trpc.cash.balances.list.queryOptions({ company_id: companyId, latest: true, limit: READ }));
  const names = new Map<string, NamedConnection>();
  for (const { connection_id: id } of balances.data?.data ?? []) {
    if (id !== null) names.set(id, { id, name: id, registered: false, replaces: null });
  }
  for (const connection of registered.data?.data ?? []) {
    const { id, replaces } = connection;
    names.set(id, { id, name: connectionName(connection), registered: true, replaces });
  }
  return names;
}
