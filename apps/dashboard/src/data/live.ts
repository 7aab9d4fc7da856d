import { createContext, useContext, useEffect, useSyncExternalStore } from 'react';
import type { LiveFeed } from './live-feed.ts';

export const LiveFeedContext = createContext<LiveFeed | undefined>(undefined);

function useLiveFeed(): LiveFeed {
  const feed = useContext(LiveFeedContext);
  if (!feed) throw new Error('There is no live feed above this component.');
  return feed;
}

/** Whether changes arrive by themselves at this moment. Where not, what matters is polled (`usePollMs`). */
export function useIsLive(): boolean {
  const feed = useLiveFeed();
  return useSyncExternalStore(feed.subscribe, feed.state) === 'live';
}

const POLL_MS = 15_000;

/** `refetchInterval` of what may not grow old: off while the stream tells of changes (decision D39). */
export function usePollMs(): number | false {
  return useIsLive() ? false : POLL_MS;
}

/** Follows the feed for as long as the component is there. False for a moment, until what is read can be kept fresh. */
export function useLiveUpdates(): boolean {
  const feed = useLiveFeed();
  useEffect(() => feed.open(), [feed]);
  return useSyncExternalStore(feed.subscribe, feed.state) !== 'opening';
}
