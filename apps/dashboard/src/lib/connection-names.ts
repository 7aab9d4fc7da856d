import { connectionName } from '@finhook/contracts/connection-name';
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from './trpc.ts';

const READ = 200;

export interface NamedConnection {
  /** The id of a registered connection, or the provider's own text, as rows carry it. */
  id: string;
  name: string;
  registered: boolean;
  /** The connection that it continues. */
  replaces: string | null;
}

/** What filters and settings have for rows without a connection. */
export const NO_ACCOUNT = 'none';

export const UNASSIGNED = 'Unassigned';

export function accountName(names: ReadonlyMap<string, NamedConnection>, id: string | null): string {
  return id === null || id === NO_ACCOUNT ? UNASSIGNED : (names.get(id)?.name ?? id);
}

/** The queries that the names are made from. */
export function useConnectionQueries(company_id: string) {
  const { bank, cash } = useTRPC();
  const registered = useQuery(bank.connections.list.queryOptions({ company_id, limit: READ }));
  const balances = useQuery(cash.balances.list.queryOptions({ company_id, latest: true, limit: READ }));
  return [registered, balances] as const;
}

/**
 * The ids of the accounts that sent transactions or balances, among them those without a registered connection, and of those
 * that have settings. The service keeps them per account, so that no transaction is read.
 */
export function useSendingAccounts(company_id: string, enabled: boolean): readonly string[] {
  const { financials } = useTRPC();
  const freshness = useQuery(financials.freshness.queryOptions({ company_id }, { enabled }));
  const settings = useQuery(financials.settings.get.queryOptions({ company_id }, { enabled }));
  const { excluded_connections = [], accounts = [] } = settings.data ?? {};
  const sending = freshness.data?.streams.map(({ connection_id }) => connection_id ?? NO_ACCOUNT) ?? [];
  return [...new Set([...sending, ...excluded_connections, ...accounts.map(({ connection_id }) => connection_id)])];
}

/** Registered connections, and those of the newest balances. */
export function useConnectionNames(companyId: string): ReadonlyMap<string, NamedConnection> {
  const [registered, balances] = useConnectionQueries(companyId);
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
