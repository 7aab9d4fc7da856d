import type { ReactNode } from 'react';

// WCAG 2.2 asks for link targets of 24 px, so links take the line's full height.
const line = 'truncate leading-6 [&_a]:inline-block [&_a]:max-w-full [&_a]:truncate [&_a]:align-top';
/** Names take two lines where one has room for a few letters. */
const name =
  'leading-5 line-clamp-2 xl:block xl:truncate xl:leading-6 xl:[&_a]:inline-block xl:[&_a]:max-w-full xl:[&_a]:truncate xl:[&_a]:align-top';

export function TwoLines({ top, below }: { top: ReactNode; below: ReactNode }): React.JSX.Element {
  return (
    <>
      <div className={name}>{top}</div>
      <div className={`${line} text-xs text-muted`}>{below}</div>
    </>
  );
}

export const TWO_LINES = 60;

export const rowLink = 'row-link font-medium';

/** Class of a row that opens its `rowLink` on a press anywhere; other controls are layered above the link. */
export const opensOnPress =
  'has-[.row-link]:hover:bg-sunken/50 has-[:focus-visible]:bg-sunken/50 has-[.row-link[aria-current]]:bg-accent-soft ' +
  '[&_.row-link]:after:absolute [&_.row-link]:after:inset-0 [&_.row-link]:after:cursor-pointer ' +
  '[&_:is(a,button):not(.row-link)]:relative [&_:is(a,button):not(.row-link)]:z-1';

export function shownFrom({ wide }: { wide?: boolean | 'large' }): string {
  if (wide === 'large') return 'hidden xl:table-cell';
  return wide === true ? 'hidden md:table-cell' : '';
}
