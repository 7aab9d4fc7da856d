import type { MutationId } from '@finhook/contracts/catalogue';
import { createContext, useContext, useSyncExternalStore } from 'react';
import { permissions } from '../operation/operations.catalogue.ts';
import type { SessionState } from './session-state.ts';
import type { SessionStore } from './session-store.ts';

export const SessionContext = createContext<SessionStore | undefined>(undefined);

export function useSessionStore(): SessionStore {
  const store = useContext(SessionContext);
  if (!store) throw new Error('There is no session store above this component.');
  return store;
}

/** The signed-in session; only for pages inside the shell, which shows none without one. */
export function useSession(): SessionState {
  const store = useSessionStore();
  const state = useSyncExternalStore(store.subscribe, store.current);
  if (!state) throw new Error('Nobody is signed in.');
  return state;
}

/**
 * Whether the signed-in key may call an operation: `usePermission()('cases.create')`. Buttons for what it may not do are
 * not shown; the service rejects the call all the same.
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

/** Whether the signed-in key reaches the whole account: one of some companies makes no other, and nothing beyond them. */
export function useReachesAll(): boolean {
  return useSession().api_key.company_ids === null;
}
