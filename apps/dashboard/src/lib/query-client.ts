import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { problemOf } from './problem.ts';

const TRIES = 2;

export function mayPass(error: unknown): boolean {
  const problem = problemOf(error);
  return problem === undefined || problem.status >= 500 || problem.retryable;
}

interface QueryClientOptions {
  onSignedOut: () => void;
  /** The browser may have a session other than the one that loaded the page. */
  onOtherSession: () => void;
}

export function createQueryClient({ onSignedOut, onOtherSession }: QueryClientOptions): QueryClient {
  const onError = (error: unknown): void => {
    const { status, code } = problemOf(error) ?? {};
    if (code === 'session_changed' || code === 'csrf_failed') onOtherSession();
    else if (status === 401) onSignedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // The stream reports changes; this limits the age of data on a page that opens later.
      queries: { staleTime: 5_000, retry: (count, error) => count < TRIES && mayPass(error) },
      mutations: { retry: false },
    },
  });
}
