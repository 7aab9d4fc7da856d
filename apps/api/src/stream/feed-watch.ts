import type { FeedNews, FeedPosition } from '@finhook/core';

export interface FeedWatchOptions {
  /** Looks at all of the accounts with one statement. */
  findNews: (positions: readonly FeedPosition[]) => Promise<FeedNews>;
  /** Milliseconds between one look and the next. */
  everyMs: number;
  /** Told when looking fails; it is tried again. */
  onError: (error: unknown) => void;
}

/** Told of a horizon below which the account has events that could not be read before. */
export type OnNews = (horizon: string) => void;

export interface FeedWatch {
  /** Watches an account's feed until the returned function is called. Nothing is asked while nobody watches. */
  follow(accountId: string, onNews: OnNews): () => void;
}

interface Watched {
  since: string;
  followers: Set<OnNews>;
}

/**
 * Watches the feeds of all accounts that somebody follows in this process, with one statement at a time. Whoever reads
 * the feed after it began to follow misses nothing: later snapshots settle what earlier ones did, and what is settled
 * after the look that it may have missed is found by the next one.
 */
export function createFeedWatch({ findNews, everyMs, onError }: FeedWatchOptions): FeedWatch {
  const accounts = new Map<string, Watched>();
  let timer: NodeJS.Timeout | undefined;

  function schedule(): void {
    timer ??= setTimeout(() => void look(), everyMs).unref();
  }

  async function look(): Promise<void> {
    const positions = [...accounts].map(([accountId, { since }]) => ({ accountId, since }));
    try {
      if (positions.length > 0) tell(positions, await findNews(positions));
    } catch (error) {
      onError(error);
    }
    timer = undefined;
    if (accounts.size > 0) schedule();
  }

  function tell(positions: readonly FeedPosition[], { horizon, accountIds }: FeedNews): void {
    const withNews = new Set(accountIds);
    for (const { accountId } of positions) {
      const watched = accounts.get(accountId);
      if (!watched) continue;
      watched.since = horizon;
      if (withNews.has(accountId)) for (const onNews of watched.followers) onNews(horizon);
    }
  }

  return {
    follow(accountId, onNews) {
      const watched = accounts.get(accountId) ?? { since: '0', followers: new Set() };
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
