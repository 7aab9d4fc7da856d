import { createContext, useContext, useEffect, useSyncExternalStore } from 'react';
import type { LiveFeed } from './live-feed.ts';

export const LiveFeedContext = createContext<LiveFeed | undefined>(undefined);

function useLiveFeed(): LiveFeed {
  const feed = useContext(LiveFeedContext);
  if (!feed) throw new Error('There is no live feed above this component.');
  return feed;
}

/** Whether changes arrive by themselves at this moment. Where not, what is in view is polled (`pollWhenDisconnected`). */
export function useIsLive(): boolean {
  const feed = useLiveFeed();
  return useSyncExternalStore(feed.subscribe, feed.state) === 'live';
}

/** Follows the feed for as long as the component is there. False for a moment, until what is read can be kept fresh. */
export function useLiveUpdates(): boolean {
  const feed = useLiveFeed();
  useEffect(() => feed.open(), [feed]);
  return useSyncExternalStore(feed.subscribe, feed.state) !== 'opening';
}
