import { type Context, cursorFrom, type EventHead, listEventHeads } from '@finhook/core';
import { toDomainError } from '../http/problem.ts';
import type { FeedWatch } from './feed-watch.ts';

/** Times in milliseconds. */
export interface StreamPace {
  /** With the cache of half a second, an ended session is cut within a second. */
  checkMs: number;
  /** Pings keep proxies from closing the connection. */
  pingMs: number;
}

export interface ChangesOptions {
  cursor: string;
  context: Context;
  /** Throws 401 or 403 once the session has ended. */
  identify: () => Promise<Context>;
  watch: FeedWatch;
  pace: StreamPace;
  signal: AbortSignal;
}

const PAGE = 100;
const UNAVAILABLE = 503;
const MOVED = 421;

/** A server-sent event (HTML Standard). Browsers drop events without data. */
export function message(event: string, data: object, id?: string): string {
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
}

// Pages read the records through the operations.
function changeMessage(events: readonly EventHead[], cursor: string): string {
  return message('change', { events }, cursor);
}

/**
 * The feed in its order, as far as the reader has access, until session or signal end. Without a database only pings.
 */
export async function* streamChanges(options: ChangesOptions): AsyncGenerator<string, void, undefined> {
  const { watch, pace, signal } = options;
  let { context, cursor } = options;
  let [sentCursor, checkedAt, wroteAt] = [cursor, performance.now(), performance.now()];
  const news = createNews(signal);
  const unfollow = watch.follow(context.accountId, (position) => news.arrive(position));
  try {
    while (!signal.aborted) {
      let known: Reader = context;
      if (performance.now() - checkedAt >= pace.checkMs) {
        checkedAt = performance.now();
        known = await recheck(options.identify);
      }
      if (known === 'ended') {
        yield message('end', { reason: 'signed_out' });
        return;
      }
      // The browser reconnects, and gets to the new cell.
      if (known === 'moved') return;
      if (known !== 'unavailable') context = known;
      const { pending, position } = news.take();
      const page = pending ? await readPage(known, cursor) : nothing;
      if (page !== undefined && page.data.length > 0) {
        if (page.has_more) news.keep(position);
        sentCursor = cursor = page.next_cursor ?? cursor;
        yield changeMessage(page.data, cursor);
        wroteAt = performance.now();
        continue;
      }
      if (page !== undefined && position !== undefined) cursor = cursorFrom(cursor, position);
      if (performance.now() - wroteAt >= pace.pingMs) {
        // An event, because pages do not see comments. With the id a reader resumes after events that it may not see.
        yield message('ping', {}, sentCursor === cursor ? undefined : cursor);
        [sentCursor, wroteAt] = [cursor, performance.now()];
      }
      const sinceCheckMs = page === undefined ? 0 : performance.now() - checkedAt;
      await news.wait(Math.max(0, pace.checkMs - sinceCheckMs));
      if (page === undefined) news.keep(position);
    }
  } finally {
    unfollow();
  }
}

type Reader = Context | 'ended' | 'moved' | 'unavailable';

async function recheck(identify: () => Promise<Context>): Promise<Reader> {
  try {
    return await identify();
  } catch (error) {
    const { status } = toDomainError(error);
    if (status === 401 || status === 403) return 'ended';
    if (status === MOVED) return 'moved';
    if (status === UNAVAILABLE) return 'unavailable';
    throw error;
  }
}

interface ChangesPage {
  data: readonly EventHead[];
  has_more: boolean;
  next_cursor: string | null;
}

const nothing: ChangesPage = { data: [], has_more: false, next_cursor: null };

async function readPage(reader: Context | 'unavailable', after: string): Promise<ChangesPage | undefined> {
  if (reader === 'unavailable') return undefined;
  try {
    return await listEventHeads(reader, { limit: PAGE, after });
  } catch (error) {
    if (toDomainError(error).status === UNAVAILABLE) return undefined;
    throw error;
  }
}

interface News {
  arrive(position: string): void;
  /** Takes the news: whether there may be unread events, and up to which position. */
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
