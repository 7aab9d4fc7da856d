import { type Context, cursorFrom, type EventHead, listEventHeads } from '@finhook/core';
import { toDomainError } from '../http/problem.ts';
import type { FeedWatch } from './feed-watch.ts';

/** How often a stream does what, in milliseconds. */
export interface StreamPace {
  /** A session is looked at again. With the half second that a key is remembered, one that ends is out in a second. */
  checkMs: number;
  /** Something is sent, so that nothing between here and the reader takes the connection for dead. */
  pingMs: number;
}

export interface ChangesOptions {
  /** The cursor of the feed after which the stream goes on. */
  cursor: string;
  context: Context;
  /** Finds out anew who reads; throws 401 or 403 when the session is over. */
  identify: () => Promise<Context>;
  watch: FeedWatch;
  pace: StreamPace;
  signal: AbortSignal;
}

const PAGE = 100;
const UNAVAILABLE = 503;

/** One message of a stream (HTML Standard, "Server-sent events"). One without data would not reach its listener. */
export function message(event: string, data: object, id?: string): string {
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
}

// What an event is about is read through the operations: a browser is told only that it happened.
function changeMessage(events: readonly EventHead[], cursor: string): string {
  return message('change', { events }, cursor);
}

/**
 * The messages of one stream: the feed's events as its reader sees them, from a cursor on, for as long as the session
 * lasts. Pages are read as those of the feed, so what is told, and that nothing is missed or told twice, is as there.
 * Ends with the session or the signal. While the database is away there is nothing but pings.
 */
export async function* streamChanges(options: ChangesOptions): AsyncGenerator<string, void, undefined> {
  const { watch, pace, signal } = options;
  let { context, cursor } = options;
  let [told, checkedAt, wroteAt] = [cursor, performance.now(), performance.now()];
  const news = createNews(signal);
  const unfollow = watch.follow(context.accountId, (horizon) => news.arrive(horizon));
  try {
    while (!signal.aborted) {
      let known: Reader = context;
      if (performance.now() - checkedAt >= pace.checkMs) {
        checkedAt = performance.now();
        known = await lookAgain(options.identify);
      }
      if (known === 'over') {
        yield message('end', { reason: 'signed_out' });
        return;
      }
      if (known !== 'unknown') context = known;
      const { pending, horizon } = news.take();
      const page = pending ? await readOn(known, cursor) : nothing;
      if (page !== undefined && page.data.length > 0) {
        if (page.has_more) news.keep(horizon);
        told = cursor = page.next_cursor ?? cursor;
        yield changeMessage(page.data, cursor);
        wroteAt = performance.now();
        continue;
      }
      // The look that found news may be older than the page that was read meanwhile.
      if (page !== undefined && horizon !== undefined) cursor = cursorFrom(cursor, horizon);
      if (performance.now() - wroteAt >= pace.pingMs) {
        // A message, no comment: a page that hears none knows that its stream is dead, which its browser does not. Its id
        // has the reader go on after a break behind what it may not see.
        yield message('ping', {}, told === cursor ? undefined : cursor);
        [told, wroteAt] = [cursor, performance.now()];
      }
      const sinceCheckMs = page === undefined ? 0 : performance.now() - checkedAt;
      await news.wait(Math.max(0, pace.checkMs - sinceCheckMs));
      if (page === undefined) news.keep(horizon);
    }
  } finally {
    unfollow();
  }
}

type Reader = Context | 'over' | 'unknown';

async function lookAgain(identify: () => Promise<Context>): Promise<Reader> {
  try {
    return await identify();
  } catch (error) {
    const { status } = toDomainError(error);
    if (status === 401 || status === 403) return 'over';
    if (status === UNAVAILABLE) return 'unknown';
    throw error;
  }
}

interface ChangesPage {
  data: readonly EventHead[];
  has_more: boolean;
  next_cursor: string | null;
}

const nothing: ChangesPage = { data: [], has_more: false, next_cursor: null };

/** The next events; undefined where nobody can say at this moment. */
async function readOn(reader: Context | 'unknown', after: string): Promise<ChangesPage | undefined> {
  if (reader === 'unknown') return undefined;
  try {
    return await listEventHeads(reader, { limit: PAGE, after });
  } catch (error) {
    if (toDomainError(error).status === UNAVAILABLE) return undefined;
    throw error;
  }
}

interface News {
  arrive(horizon: string): void;
  /** Whether something may be unread, and up to where; from now on it counts as read. */
  take(): { pending: boolean; horizon: string | undefined };
  /** It was not all read. */
  keep(horizon: string | undefined): void;
  /** Waits for news, the signal or the time. */
  wait(ms: number): Promise<void>;
}

/** What is not read yet; at the beginning that is whatever there was before anybody watched. */
function createNews(signal: AbortSignal): News {
  let pending = true;
  let horizon: string | undefined;
  let wake: (() => void) | undefined;
  signal.addEventListener('abort', () => wake?.());
  return {
    arrive(at) {
      [pending, horizon] = [true, at];
      wake?.();
    },
    take() {
      const taken = { pending, horizon };
      [pending, horizon] = [false, undefined];
      return taken;
    },
    keep(at) {
      [pending, horizon] = [true, horizon ?? at];
    },
    async wait(ms) {
      if (pending || signal.aborted) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      const timer = setTimeout(resolve, Math.max(0, ms));
      await promise;
      clearTimeout(timer);
      wake = undefined;
    },
  };
}
