import type { UseQueryResult } from '@tanstack/react-query';

/**
 * True until the query has answered, or all its tries have failed. A query without data is pending again whenever it is
 * repeated, so a page that waits for `isPending` would take away what it has shown since the failure: a form with typed
 * text, or a focused row.
 */
export function isFirstRead({ isLoading, isFetched }: Pick<UseQueryResult, 'isLoading' | 'isFetched'>): boolean {
  return isLoading && !isFetched;
}
