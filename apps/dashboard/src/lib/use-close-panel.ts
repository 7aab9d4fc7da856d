import { useRouter } from '@tanstack/react-router';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** A navigation opened the record; the previous entry is the list. */
    opened?: boolean;
  }
}

/** Navigation that opens a record next to its list: Back closes it, and the list keeps its scroll position. */
export const opening = { replace: false, resetScroll: false, state: { opened: true } } as const;

/** Navigation from one open record to the next: Back still leads to the list. */
export const movingOn = { replace: true, resetScroll: false, state: true } as const;

/** Navigation that replaces the history entry. */
export const replacing = { replace: true, resetScroll: false } as const;

export type Step = typeof opening | typeof movingOn | typeof replacing | { replace: false };

/**
 * Closes a record. If opening it added a history entry, this goes back, so that Back does not have to be pressed twice
 * later; if a link led to the record, it calls `close`.
 */
export function useClosePanel(close: () => void): () => void {
  const { history } = useRouter();
  // The user pressed the close button, so there is no confirmation.
  return () => (history.location.state.opened === true ? history.back({ ignoreBlocker: true }) : close());
}
