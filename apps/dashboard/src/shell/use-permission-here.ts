import { useContext } from 'react';
import { usePermission } from '../session/use-session.ts';
import { CompanyContext } from './company-context.ts';

/** Whether the signed-in key may do what `permission` names to the chosen company; nobody may to a dissolved one. */
export function usePermissionHere(permission: string): boolean {
  const may = usePermission();
  const company = useContext(CompanyContext);
  return company !== undefined && company.status !== 'dissolved' && may(permission);
}
