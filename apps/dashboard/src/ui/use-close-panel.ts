import { useRouter } from '@tanstack/react-router';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** A record was opened beside the list that stands one step before. */
    opened?: boolean;
  }
}

/** Options of the step that opens a record beside its list: Back closes it, and the list stays where it was scrolled. */
export const opening = { replace: false, resetScroll: false, state: { opened: true } } as const;

/** Options of the step from one opened record to the next: Back still leads to the list. */
export const movingOn = { replace: true, resetScroll: false, state: true } as const;

/** Options of a step that leaves no trace of where it came from. */
export const replacing = { replace: true, resetScroll: false } as const;

/** How a page changes its address. */
export type Step = typeof opening | typeof movingOn | typeof replacing | { replace: false };

/**
 * Closes a record as Back does where opening it was a step of its own, so that Back does not have to be pressed twice
 * afterwards; else, where a link led to it, by `close`.
 */
export function useClosePanel(close: () => void): () => void {
  const { history } = useRouter();
  // Its button was pressed: nothing is asked, as where no step was taken.
  return () => (history.location.state.opened === true ? history.back({ ignoreBlocker: true }) : close());
}
