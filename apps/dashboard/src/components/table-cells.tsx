import type { ReactNode } from 'react';

// WCAG 2.2 asks for link targets of 24 px, so links take the line's full height.
const line = 'truncate leading-6 [&_a]:inline-block [&_a]:max-w-full [&_a]:truncate [&_a]:align-top';

export function TwoLines({ top, below }: { top: ReactNode; below: ReactNode }): React.JSX.Element {
  return (
    <>
      <div className={line}>{top}</div>
      <div className={`${line} text-xs text-muted`}>{below}</div>
    </>
  );
}

export const TWO_LINES = 60;
