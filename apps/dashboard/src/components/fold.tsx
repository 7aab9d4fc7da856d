import { type ReactNode, useLayoutEffect, useRef } from 'react';

interface FoldProps {
  title: string;
  /** Opens the fold when it becomes true. Only the user closes it. */
  opens: boolean;
  className?: string;
  titleClass: string;
  children: ReactNode;
}

export function Fold({ title, opens, className, titleClass, children }: FoldProps): React.JSX.Element {
  const details = useRef<HTMLDetailsElement>(null);
  useLayoutEffect(() => {
    if (opens && details.current) details.current.open = true;
  }, [opens]);
  return (
    <details ref={details} className={className}>
      <summary className={titleClass}>{title}</summary>
      {children}
    </details>
  );
}
