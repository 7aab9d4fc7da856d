import type { ReactNode } from 'react';
import { useCompany } from './company-context.ts';

export function HowToAdd({ children }: { children: ReactNode }): ReactNode {
  return useCompany().status === 'dissolved' ? 'The company is dissolved and accepts no new records.' : children;
}
