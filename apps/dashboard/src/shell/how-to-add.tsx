import type { ReactNode } from 'react';
import { useCompany } from './company-context.ts';

/** How a company comes to rows that it has none of; a dissolved one takes no more. */
export function HowToAdd({ children }: { children: ReactNode }): ReactNode {
  return useCompany().status === 'dissolved' ? 'The company is dissolved and accepts no new records.' : children;
}
