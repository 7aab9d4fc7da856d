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

/** The current session; only for pages inside the shell, which requires one. */
export function useSession(): SessionState {
  const store = useSessionStore();
  const state = useSyncExternalStore(store.subscribe, store.current);
  if (!state) throw new Error('Nobody is signed in.');
  return state;
}

/**
 * Returns a check for the key's permissions: `usePermission()('cases.create')`. Buttons without permission are hidden;
 * the service enforces the same rules.
 */
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

/**
 * True if the key can access the whole account. A key of some companies can't create companies or change account-wide
 * data.
 */
export function useReachesAll(): boolean {
  return useSession().api_key.company_ids === null;
}
