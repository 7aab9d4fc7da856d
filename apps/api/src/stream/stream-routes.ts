import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { type Core, cursorAt, findFeedNews, isFeedCursor, readHorizon } from '@finhook/core';
import type { Logger } from '@finhook/runtime';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { countRequest } from '../auth/caller.ts';
import { createSlots, RateLimited, type RateLimits } from '../auth/rate-limits.ts';
import { checkSession, type ReadSession, type RequireSession } from '../auth/session-caller.ts';
import { message, type StreamPace, streamChanges } from './change-stream.ts';
import { createFeedWatch, type FeedWatch } from './feed-watch.ts';

export interface StreamOptions {
  core: Core;
  logger: Logger;
  limits: RateLimits;
  /** Who opens a stream; throws 401 without a session. */
  requireSession: RequireSession;
  /** Who it is while the stream is open: it counts nothing. */
  readSession: ReadSession;
  pace?: Partial<StreamPace & { watchMs: number; drainMs: number }>;
}

/** Streams an account may have open at once in this process. */
const MAX_STREAMS = 64;
const RETRY_MS = 1_000;
const usualPace = {
  checkMs: 250,
  pingMs: 3_000,
  /** Between one look at the feeds and the next. */
  watchMs: 250,
  /** A reader that takes nothing for so long is cut. */
  drainMs: 20_000,
};

const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  // Reverse proxies pass each message on at once.
  'x-accel-buffering': 'no',
};

/**
 * `GET /dashboard/stream`: tells of each event of the account within a second of its commit, as server-sent events. A
 * stream is no request under way and has a bound of its own; it ends with its session, and at once when the service
 * closes.
 */
export function registerStreamRoutes(app: FastifyInstance, options: StreamOptions): void {
  const { core, logger, requireSession, readSession, limits } = options;
  const pace = { ...usualPace, ...options.pace };
  const watch = createLoggedWatch(core, logger, pace.watchMs);
  const acquire = createSlots(MAX_STREAMS, tooManyStreams);
  const open = new Set<() => void>();
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
    for (const end of open) end();
  });
  app.get('/dashboard/stream', { exposeHeadRoute: false }, async (request, reply) => {
    const over = new AbortController();
    reply.raw.once('close', () => over.abort());
    const context = await requireSession(request, reply);
    // A browser sends no headers of a page's own with a stream.
    checkSession(parameterOf(request, 'session'), context.sessionId);
    await countRequest(limits, reply, context);
    const release = acquire(context.accountId);
    const body = new PassThrough();
    const end = (): void => {
      over.abort();
      body.end();
    };
    open.add(end);
    whenAborted(over.signal, () => {
      release();
      open.delete(end);
    });
    const { opening, cursor } = await openingOf(core, request);
    if (!over.signal.aborted) body.write(opening);
    if (closing) end();
    const messages = streamChanges({
      cursor,
      context,
      watch,
      pace,
      identify: () => readSession(request),
      signal: over.signal,
    });
    const cut = (): void => void reply.raw.destroy();
    void pump(messages, { body, signal: over.signal, drainMs: pace.drainMs, cut }).catch((error: unknown) => {
      logger.error({ request_id: request.id, err: error }, 'A stream of the dashboard was cut.');
      cut();
    });
    return reply.headers(streamHeaders).send(body);
  });
}

function whenAborted(signal: AbortSignal, work: () => void): void {
  if (signal.aborted) work();
  else signal.addEventListener('abort', work, { once: true });
}

function createLoggedWatch(core: Core, logger: Logger, everyMs: number): FeedWatch {
  let failing = false;
  return createFeedWatch({
    everyMs,
    async findNews(positions) {
      const found = await findFeedNews(core.database, positions);
      failing = false;
      return found;
    },
    onError(error) {
      if (!failing) logger.warn({ err: error }, 'The feed cannot be looked at; streams of the dashboard wait.');
      failing = true;
    },
  });
}

/** Where a stream begins: behind the last message that its reader saw, or else now. */
async function openingOf({ database }: Core, request: FastifyRequest): Promise<{ opening: string; cursor: string }> {
  const seen = lastSeen(request);
  const known = seen !== undefined && (await isFeedCursor(database, seen));
  const cursor = known ? seen : cursorAt(await readHorizon(database));
  const reset = seen === undefined || known ? '' : message('reset', {});
  return { opening: `retry: ${RETRY_MS}\n\n${reset}${message('ready', {}, cursor)}`, cursor };
}

/** A browser names it by itself when it reconnects; a page that opens a stream anew says it in `after`. */
function lastSeen(request: FastifyRequest): string | undefined {
  const header = request.headers['last-event-id'];
  if (typeof header === 'string' && header !== '') return header;
  return parameterOf(request, 'after');
}

/** A query parameter; an empty one is none. */
function parameterOf({ url }: FastifyRequest, name: string): string | undefined {
  const value = new URL(url, 'http://localhost').searchParams.get(name);
  return value === null || value === '' ? undefined : value;
}

interface Sink {
  body: PassThrough;
  signal: AbortSignal;
  drainMs: number;
  cut: () => void;
}

/** Writes one message after the other, at the pace of whoever reads them. */
async function pump(messages: AsyncIterable<string>, { body, signal, drainMs, cut }: Sink): Promise<void> {
  for await (const text of messages) {
    if (signal.aborted) return;
    if (body.write(text)) continue;
    const late = setTimeout(cut, drainMs);
    // The end of the connection is the end of the wait.
    await once(body, 'drain', { signal }).catch(() => undefined);
    clearTimeout(late);
  }
  body.end();
}

function tooManyStreams(): RateLimited {
  return new RateLimited(`This account already has ${MAX_STREAMS} dashboards open. Close one of them.`, 5, {});
}
