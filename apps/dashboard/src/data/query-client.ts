import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { problemOf } from './problem.ts';

const TRIES = 2;

/** Worth another try: no answer, or a failure of the service itself. A refusal stays one. */
export function mayPass(error: unknown): boolean {
  const problem = problemOf(error);
  return problem === undefined || problem.status >= 500 || problem.status === 429;
}

interface QueryClientOptions {
  /** The service no longer knows the session. */
  onSignedOut: () => void;
  /** The browser's session may be another than the page was loaded by. */
  onOtherSession: () => void;
}

/** The cache of this page. */
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
      // What changed is told by the stream; this bounds how old a page can be that is opened anew.
      queries: { staleTime: 5_000, retry: (count, error) => count < TRIES && mayPass(error) },
      mutations: { retry: false },
    },
  });
}
