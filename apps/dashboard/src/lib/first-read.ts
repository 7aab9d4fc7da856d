import type { UseQueryResult } from '@tanstack/react-query';

type Read = Pick<UseQueryResult, 'isPending' | 'fetchStatus' | 'isFetchedAfterMount' | 'failureCount'>;

/**
 * True until the query has answered, or all its tries have failed, since the component was mounted. A query without data is
 * pending again whenever it is repeated, so a page that waits for `isPending` would take away what it has shown since the
 * failure: a form with typed text, or a focused row. The query must be read above the part that waits.
 */
export function isFirstRead({ isPending, fetchStatus, isFetchedAfterMount }: Omit<Read, 'failureCount'>): boolean {
  return isPending && fetchStatus !== 'idle' && !isFetchedAfterMount;
}

/** As `isFirstRead`, but for a page that doesn't wait for further tries. */
export function isFirstTry(query: Read): boolean {
  return isFirstRead(query) && query.failureCount === 0;
}
