import type { QueryClient } from '@tanstack/react-query';
import type { LiveFeed } from './live-feed.ts';

const POLL_MS = 15_000;

/** Refetches every visible query each 15 seconds while the stream is disconnected (decision D39). */
export function pollWhenDisconnected(feed: Pick<LiveFeed, 'state' | 'subscribe'>, client: QueryClient): void {
  let timer: ReturnType<typeof setInterval> | undefined;
  const read = (): void => void client.refetchQueries({ type: 'active' }, { cancelRefetch: false });
  feed.subscribe(() => {
    clearInterval(timer);
    timer = feed.state() === 'disconnected' ? setInterval(read, POLL_MS) : undefined;
  });
}
