import type { ReactNode } from 'react';

/** The sums of a list's rows. They stand between the title and the rows. */
export function ListTotals({ children }: { children: ReactNode }): React.JSX.Element {
  return (
    <div role="status" aria-label="Totals" className="px-5 pb-3 text-sm empty:hidden">
      {children}
    </div>
  );
}
