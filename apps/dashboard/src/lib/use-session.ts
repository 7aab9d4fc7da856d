import type { MutationId } from '@finhook/contracts/catalogue';
import { createContext, useContext, useSyncExternalStore } from 'react';
import { permissions } from '../operation/operations.catalogue.ts';
import type { SessionState, SessionStore } from './session-store.ts';

export const SessionContext = createContext<SessionStore | undefined>(undefined);

export function useSessionStore(): SessionStore {
  const store = useContext(SessionContext);
  if (!store) throw new Error('There is no session store above this component.');
  return store;
}

export function useSession(): SessionState {
  const store = useSessionStore();
  const state = useSyncExternalStore(store.subscribe, store.current);
  if (!state) throw new Error('Nobody is signed in.');
  return state;
}

/** Checks the key's permissions, to hide buttons; the service enforces them. */
export function usePermission(): (operation: MutationId) => boolean {
  const { role, api_key: key } = useSession();
  return (operation) => {
    const permission = permissions[operation];
    return (
      role !== 'viewer' &&
      (key.permissions === null || permission === undefined || key.permissions.includes(permission))
    );
  };
}

/** A key of some companies can't create companies or change account-wide data. */
export function useReachesAll(): boolean {
  return useSession().api_key.company_ids === null;
}
