import type { ReactNode } from 'react';

/** A cell of two lines, each cut off at its end: what is looked for, and below it what belongs to it. */
export function TwoLines({ top, below }: { top: ReactNode; below: ReactNode }): React.JSX.Element {
  return (
    <>
      <div className="truncate">{top}</div>
      <div className="truncate text-xs text-muted">{below}</div>
    </>
  );
}

/** Height in px of rows whose cells have two lines. */
export const TWO_LINES = 60;
