import { type Context, cursorFrom, type EventHead, listEventHeads } from '@finhook/core';
import { toDomainError } from '../http/problem.ts';
import type { FeedWatch } from './feed-watch.ts';

/** Times in milliseconds. */
export interface StreamPace {
  /**
   * The session is checked again. With the half second that a key is cached, an ended session is cut within a second.
   */
  checkMs: number;
  /** A ping is sent, so that no proxy closes an idle connection. */
  pingMs: number;
}

export interface ChangesOptions {
  cursor: string;
  context: Context;
  /** Authenticates the reader again; throws 401 or 403 once the session has ended. */
  identify: () => Promise<Context>;
  watch: FeedWatch;
  pace: StreamPace;
  signal: AbortSignal;
}

const PAGE = 100;
const UNAVAILABLE = 503;
const MOVED = 421;

/** One message of a stream (HTML Standard, "Server-sent events"). Browsers drop messages without data. */
export function message(event: string, data: object, id?: string): string {
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
}

// Browsers read the record through the operations, so the message carries no data of the event.
function changeMessage(events: readonly EventHead[], cursor: string): string {
  return message('change', { events }, cursor);
}

/**
 * The messages of one stream: the feed's events that its reader may see, after a cursor. It reads pages of the feed, so
 * it has the feed's order and completeness. Ends with the session or the signal. Without a database it only pings.
 */
export async function* streamChanges(options: ChangesOptions): AsyncGenerator<string, void, undefined> {
  const { watch, pace, signal } = options;
  let { context, cursor } = options;
  let [told, checkedAt, wroteAt] = [cursor, performance.now(), performance.now()];
  const news = createNews(signal);
  const unfollow = watch.follow(context.accountId, (position) => news.arrive(position));
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
      // The browser connects again, which leads it to the account's new cell.
      if (known === 'moved') return;
      if (known !== 'unknown') context = known;
      const { pending, position } = news.take();
      const page = pending ? await readOn(known, cursor) : nothing;
      if (page !== undefined && page.data.length > 0) {
        if (page.has_more) news.keep(position);
        told = cursor = page.next_cursor ?? cursor;
        yield changeMessage(page.data, cursor);
        wroteAt = performance.now();
        continue;
      }
      // The page may be newer than the signal that there are events.
      if (page !== undefined && position !== undefined) cursor = cursorFrom(cursor, position);
      if (performance.now() - wroteAt >= pace.pingMs) {
        // A message instead of a comment, so that the page notices a dead connection, which browsers do not. Its id
        // lets the reader resume after events that it may not see.
        yield message('ping', {}, told === cursor ? undefined : cursor);
        [told, wroteAt] = [cursor, performance.now()];
      }
      const sinceCheckMs = page === undefined ? 0 : performance.now() - checkedAt;
      await news.wait(Math.max(0, pace.checkMs - sinceCheckMs));
      if (page === undefined) news.keep(position);
    }
  } finally {
    unfollow();
  }
}

type Reader = Context | 'over' | 'moved' | 'unknown';

async function lookAgain(identify: () => Promise<Context>): Promise<Reader> {
  try {
    return await identify();
  } catch (error) {
    const { status } = toDomainError(error);
    if (status === 401 || status === 403) return 'over';
    if (status === MOVED) return 'moved';
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
  arrive(position: string): void;
  /** Returns whether events may be unread and up to which position, and marks them as read. */
  take(): { pending: boolean; position: string | undefined };
  keep(position: string | undefined): void;
  wait(ms: number): Promise<void>;
}

function createNews(signal: AbortSignal): News {
  let pending = true;
  let position: string | undefined;
  let wake: (() => void) | undefined;
  signal.addEventListener('abort', () => wake?.());
  return {
    arrive(at) {
      [pending, position] = [true, at];
      wake?.();
    },
    take() {
      const taken = { pending, position };
      [pending, position] = [false, undefined];
      return taken;
    },
    keep(at) {
      [pending, position] = [true, position ?? at];
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
