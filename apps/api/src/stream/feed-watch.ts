import type { FeedPosition } from '@finhook/core';

export interface FeedWatchOptions {
  findNews: (read: readonly FeedPosition[]) => Promise<FeedPosition[]>;
  everyMs: number;
  onError: (error: unknown) => void;
}

export type OnNews = (position: string) => void;

export interface FeedWatch {
  follow(accountId: string, onNews: OnNews): () => void;
}

interface Watched {
  position: string;
  followers: Set<OnNews>;
}

/** One statement at a time for all accounts. A follower misses nothing, because events become visible in order. */
export function createFeedWatch({ findNews, everyMs, onError }: FeedWatchOptions): FeedWatch {
  const accounts = new Map<string, Watched>();
  let timer: NodeJS.Timeout | undefined;

  function schedule(): void {
    timer ??= setTimeout(() => void poll(), everyMs).unref();
  }

  async function poll(): Promise<void> {
    const read = [...accounts].map(([accountId, { position }]) => ({ accountId, position }));
    try {
      if (read.length > 0) notify(await findNews(read));
    } catch (error) {
      onError(error);
    }
    timer = undefined;
    if (accounts.size > 0) schedule();
  }

  function notify(news: readonly FeedPosition[]): void {
    for (const { accountId, position } of news) {
      const watched = accounts.get(accountId);
      if (!watched) continue;
      watched.position = position;
      for (const onNews of watched.followers) onNews(position);
    }
  }

  return {
    follow(accountId, onNews) {
      const watched = accounts.get(accountId) ?? { position: '0', followers: new Set() };
      accounts.set(accountId, watched);
      watched.followers.add(onNews);
      schedule();
      return () => {
        watched.followers.delete(onNews);
        if (watched.followers.size === 0 && accounts.get(accountId) === watched) accounts.delete(accountId);
      };
    },
  };
}
