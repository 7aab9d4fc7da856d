import type { ReactNode } from 'react';

interface SideScrollProps {
  label: string;
  className?: string;
  children: ReactNode;
}

/** A table that may be wider than its place: the keyboard scrolls it, and a shadow marks an edge beyond which there is more. */
export function SideScroll({ label, className = '', children }: SideScrollProps): React.JSX.Element {
  return (
    <div tabIndex={0} role="group" aria-label={label} className={`side-scroll overflow-x-auto ${className}`}>
      {children}
    </div>
  );
}
