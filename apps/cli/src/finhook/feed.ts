import type { FeedEvent } from './forward.ts';
import type { Input, Service } from './http-api.ts';
import { pause, readPage, withRetries } from './pages.ts';
import type { Session } from './session.ts';

export interface FeedPage {
  events: readonly FeedEvent[];
  /** Start and end of the page; undefined at the beginning of the feed. */
  after: string | undefined;
  cursor: string | undefined;
}

const EVERY_MS = 500;

/** The cursor after the newest event; undefined without events. */
export async function endOfFeed(service: Service): Promise<string | undefined> {
  const { next_cursor } = await readPage(service, 'events.list', { order: 'desc', limit: 1 });
  return next_cursor ?? undefined;
}

/** Events in the order of the feed, including future ones; never ends. Waits while the service is unreachable. */
export async function* followFeed(
  service: Service,
  { output, signal }: Session,
  { after, ...filters }: Input & { after: string | undefined },
): AsyncGenerator<FeedPage> {
  let position = after;
  for (;;) {
    const input = { ...filters, after: position };
    const page = await withRetries(() => readPage<FeedEvent>(service, 'events.list', input), output, signal);
    const cursor = page.next_cursor ?? position;
    if (page.data.length > 0) yield { events: page.data, after: position, cursor };
    position = cursor;
    if (!page.has_more) await pause(EVERY_MS, signal);
  }
}
