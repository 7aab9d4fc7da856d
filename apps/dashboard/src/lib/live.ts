import { createContext, useContext, useEffect, useSyncExternalStore } from 'react';
import type { LiveFeed } from './live-feed.ts';

export const LiveFeedContext = createContext<LiveFeed | undefined>(undefined);

function useLiveFeed(): LiveFeed {
  const feed = useContext(LiveFeedContext);
  if (!feed) throw new Error('There is no live feed above this component.');
  return feed;
}

/** True while the stream is connected. Otherwise, visible queries are polled (`pollWhenDisconnected`). */
export function useIsLive(): boolean {
  const feed = useLiveFeed();
  return useSyncExternalStore(feed.subscribe, feed.state) === 'live';
}

/** Follows the feed while the component is mounted. Returns false at first, until the stream is open. */
export function useLiveUpdates(): boolean {
  const feed = useLiveFeed();
  useEffect(() => feed.open(), [feed]);
  return useSyncExternalStore(feed.subscribe, feed.state) !== 'opening';
}
