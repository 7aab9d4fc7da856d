import type { ReactNode } from 'react';

export function OwnKeyWarning({ children }: { children: ReactNode }): React.JSX.Element {
  return <p className="rounded-md border border-warn bg-warn-soft p-3 text-sm text-warn">{children}</p>;
}
