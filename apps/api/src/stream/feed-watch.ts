import type { FeedPosition } from '@finhook/core';

export interface FeedWatchOptions {
  /** Looks at all of the accounts with one statement. */
  findNews: (read: readonly FeedPosition[]) => Promise<FeedPosition[]>;
  /** Milliseconds between one look and the next. */
  everyMs: number;
  /** Told when looking fails; it is tried again. */
  onError: (error: unknown) => void;
}

/** Told of the position of the account's newest event. */
export type OnNews = (position: string) => void;

export interface FeedWatch {
  /** Watches an account's feed until the returned function is called. Nothing is asked while nobody watches. */
  follow(accountId: string, onNews: OnNews): () => void;
}

interface Watched {
  position: string;
  followers: Set<OnNews>;
}

/**
 * Watches the feeds of all accounts that somebody follows in this process, with one statement at a time. Whoever reads
 * the feed after it began to follow misses nothing: events become visible in the order of their positions, and what does
 * after the look that it may have missed is found by the next one.
 */
export function createFeedWatch({ findNews, everyMs, onError }: FeedWatchOptions): FeedWatch {
  const accounts = new Map<string, Watched>();
  let timer: NodeJS.Timeout | undefined;

  function schedule(): void {
    timer ??= setTimeout(() => void look(), everyMs).unref();
  }

  async function look(): Promise<void> {
    const read = [...accounts].map(([accountId, { position }]) => ({ accountId, position }));
    try {
      if (read.length > 0) tell(await findNews(read));
    } catch (error) {
      onError(error);
    }
    timer = undefined;
    if (accounts.size > 0) schedule();
  }

  function tell(news: readonly FeedPosition[]): void {
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
