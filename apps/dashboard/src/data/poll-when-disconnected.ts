import type { QueryClient } from '@tanstack/react-query';
import type { LiveFeed } from './live-feed.ts';

const POLL_MS = 15_000;

/** Reads everything in view again every 15 seconds while no stream tells of changes (decision D39). */
export function pollWhenDisconnected(feed: Pick<LiveFeed, 'state' | 'subscribe'>, client: QueryClient): void {
  let timer: ReturnType<typeof setInterval> | undefined;
  const read = (): void => void client.refetchQueries({ type: 'active' }, { cancelRefetch: false });
  feed.subscribe(() => {
    clearInterval(timer);
    timer = feed.state() === 'disconnected' ? setInterval(read, POLL_MS) : undefined;
  });
}
