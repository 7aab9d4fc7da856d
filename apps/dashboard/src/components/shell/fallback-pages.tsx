import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useIsLive } from '../../lib/live-feed.ts';
import { useSessionStore } from '../../lib/use-session.ts';
import { Page } from '../page.tsx';
import { ErrorState } from '../states.tsx';

export function NotFoundPage(): React.JSX.Element {
  return (
    <Page title="Page not found" intro="The URL may be incomplete, or the page no longer exists.">
      <p>
        <Link to="/" className="text-accent underline">
          Go to the overview
        </Link>
      </p>
    </Page>
  );
}

/** The company in the URL is not accessible; the page must not fall back to another company. */
export function UnknownCompanyPage(): React.JSX.Element {
  return (
    <Page title="Company not found" intro="The company doesn’t exist, or your key has no access to it.">
      <p>
        Choose another company above, or{' '}
        <Link to="/companies" search={{ company: undefined }} className="text-accent underline">
          see all companies
        </Link>
        .
      </p>
    </Page>
  );
}

const CHUNK_MISSING =
  'Part of this page couldn’t be loaded. Reload the page. If the problem persists, check for a proxy that blocks ' +
  'files of the dashboard.';

export function PageError({ error, reset }: ErrorComponentProps): React.JSX.Element {
  const router = useRouter();
  // The page's loaders may have failed, so they run again first.
  const retry = useCallback(() => void router.invalidate().then(reset), [router, reset]);
  useRetryOnceLive(retry);
  return (
    <Page title="This page couldn’t be displayed">
      <ErrorState error={useReloadForNewBuild(error) ? new Error(CHUNK_MISSING) : error} onRetry={retry} />
    </Page>
  );
}

/** Retries a page that failed offline once the stream reconnects. */
function useRetryOnceLive(retry: () => void): void {
  const isLive = useIsLive();
  const wasLive = useRef(isLive);
  useEffect(() => {
    if (isLive && !wasLive.current) retry();
    wasLive.current = isLive;
    // The stream may survive a short interruption.
    addEventListener('online', retry);
    return () => removeEventListener('online', retry);
  }, [isLive, retry]);
}

/** Reloads once if a chunk is missing after an update, unless offline. Returns true if that did not help. */
function useReloadForNewBuild(error: unknown): boolean {
  const store = useSessionStore();
  const [isMissing, setMissing] = useState(false);
  useEffect(() => {
    if (!isChunkLoadError(error)) return;
    void store.ask().then(
      () => (mayReload(sessionStorage, import.meta.url, location.pathname) ? location.reload() : setMissing(true)),
      () => undefined,
    );
  }, [error, store]);
  return isMissing;
}

/** True if a chunk failed to load. Browsers identify this error by its message only. */
export function isChunkLoadError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    /dynamically imported module|Importing a module script failed|Unable to preload CSS/i.test(error.message) ||
    isChunkLoadError(error.cause)
  );
}

const KEY = 'finhook.reloaded';

/** True once per build: if the same build lacks the chunk again, reloading would loop. */
export function mayReload(storage: Pick<Storage, 'getItem' | 'setItem'>, build: string, path: string): boolean {
  const current = `${build} ${path}`;
  if (storage.getItem(KEY) === current) return false;
  storage.setItem(KEY, current);
  return true;
}
