import type { ReactNode } from 'react';

// Links are as high as their line: WCAG 2.2 asks for targets of 24 px.
const line = 'truncate leading-6 [&_a]:inline-block [&_a]:max-w-full [&_a]:truncate [&_a]:align-top';

/** A cell of two lines, each cut off at its end: what is looked for, and below it what belongs to it. */
export function TwoLines({ top, below }: { top: ReactNode; below: ReactNode }): React.JSX.Element {
  return (
    <>
      <div className={line}>{top}</div>
      <div className={`${line} text-xs text-muted`}>{below}</div>
    </>
  );
}

/** Height in px of rows whose cells have two lines. */
export const TWO_LINES = 60;
