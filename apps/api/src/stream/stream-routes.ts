import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import {
  type Context,
  type Core,
  currentCursor,
  cursorAt,
  findFeedNews,
  isFeedCursor,
  readPosition,
} from '@finhook/core';
import type { Logger } from '@finhook/runtime';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { acquireCounted, countRequest } from '../auth/caller.ts';
import { RateLimited, type RateLimits } from '../auth/rate-limits.ts';
import { checkSession, type ReadSession, type RequireSession } from '../auth/session-caller.ts';
import { createSlots } from '../auth/slots.ts';
import { message, type StreamPace, streamChanges } from './change-stream.ts';
import { createFeedWatch, type FeedWatch } from './feed-watch.ts';

export interface StreamOptions {
  core: Core;
  logger: Logger;
  limits: RateLimits;
  requireSession: RequireSession;
  readSession: ReadSession;
  pace?: Partial<StreamPace & { watchMs: number; drainMs: number }>;
}

const MAX_STREAMS = 64;
const RETRY_MS = 1_000;
const usualPace = {
  checkMs: 250,
  pingMs: 3_000,
  /** Interval between reads of the feeds. */
  watchMs: 250,
  /** Time after which a reader that reads nothing is cut. */
  drainMs: 20_000,
};

const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  // Reverse proxies must not buffer.
  'x-accel-buffering': 'no',
};

/** Server-sent events of the account, within a second of their commit. Streams have their own limit. */
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
    // EventSource cannot set headers.
    checkSession(parameterOf(request, 'session'), context.sessionId);
    await countRequest(limits, reply, context);
    const release = acquireCounted(request, () => acquire(context.accountId));
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
    const { opening, cursor } = await openingOf(context, request);
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
      if (!failing) logger.warn({ err: error }, 'The feed cannot be read; streams of the dashboard wait.');
      failing = true;
    },
  });
}

/** Starts after the last event that the reader received, or now. */
async function openingOf(
  { database, accountId }: Context,
  request: FastifyRequest,
): Promise<{ opening: string; cursor: string }> {
  const sent = lastSeen(request);
  const seen = sent === undefined ? undefined : await currentCursor(database, accountId, sent);
  const known = seen !== undefined && (await isFeedCursor(database, accountId, seen));
  const cursor = known ? seen : cursorAt(await readPosition(database, accountId));
  const reset = seen === undefined || known ? '' : message('reset', {});
  return { opening: `retry: ${RETRY_MS}\n\n${reset}${message('ready', {}, cursor)}`, cursor };
}

/** Browsers send the header on reconnect; a new stream of a page uses `after`. */
function lastSeen(request: FastifyRequest): string | undefined {
  const header = request.headers['last-event-id'];
  if (typeof header === 'string' && header !== '') return header;
  return parameterOf(request, 'after');
}

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

async function pump(messages: AsyncIterable<string>, { body, signal, drainMs, cut }: Sink): Promise<void> {
  for await (const text of messages) {
    if (signal.aborted) return;
    if (body.write(text)) continue;
    const late = setTimeout(cut, drainMs);
    await once(body, 'drain', { signal }).catch(() => undefined);
    clearTimeout(late);
  }
  body.end();
}

function tooManyStreams(): RateLimited {
  return new RateLimited(`This account already has ${MAX_STREAMS} dashboards open. Close one of them.`, 5, {});
}
