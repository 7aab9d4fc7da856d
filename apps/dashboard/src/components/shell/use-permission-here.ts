import type { MutationId } from '@finhook/contracts/catalogue';
import { useContext } from 'react';
import { usePermission } from '../../lib/use-session.ts';
import { CompanyContext } from './company-context.ts';

/** True if the key may call an operation for the chosen company; false for a dissolved one. */
export function usePermissionHere(operation: MutationId): boolean {
  const may = usePermission();
  const company = useContext(CompanyContext);
  return company !== undefined && company.status !== 'dissolved' && may(operation);
}
