import { DomainError } from '@finhook/core';
import { openQueueBoard, type QueueBoard } from '@finhook/queue';
import type { Logger } from '@finhook/runtime';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createBoardApp } from './create-board-app.ts';
import { cookieChallenge, opsPath, withReferrer } from './page.ts';

export interface QueueBoardOptions {
  readonly queueUrl: string;
  readonly logger: Logger;
}

const path = `${opsPath}/queues`;
/** The hashes are of the two `<style>` elements that the board's script makes (its lists, its messages). */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' " +
  "'sha256-dv714QSXJBurriRZTklJT4phtgwCe+o7Frxoi2awcdg=' 'sha256-r2N1TB/gHbBtBZFKg7ejmq1acVSREzucTAEw6ga4hoU='; " +
  "img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
  "form-action 'none'; base-uri 'self'; frame-ancestors 'none'";
const readMethods = ['GET', 'HEAD'];

/** The board at `/ops/queues`. Until somebody opens it, nothing of it is loaded and no connection is made. */
export async function registerQueueBoard(scope: FastifyInstance, options: QueueBoardOptions): Promise<void> {
  const { queueUrl, logger } = options;
  const opening = openOnce(async () => {
    const board = openQueueBoard(queueUrl, { logger });
    try {
      return { board, app: await createBoardApp({ board, path }) };
    } catch (error) {
      await board.close();
      throw error;
    }
  });
  scope.addHook('onClose', async () => {
    const open = await opening.opened();
    await open?.app.close();
    await open?.board.close();
  });
  // The board's own application reads bodies.
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
  scope.addHook('onRequest', async (request, reply) => {
    if (readMethods.includes(request.method)) return;
    reply.header('www-authenticate', cookieChallenge);
    throw readOnly();
  });
  const forward = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { board, app } = await opening.open();
    if (request.url.startsWith(`${path}/api/`)) await reach(board);
    withReferrer(reply).header('content-security-policy', policy);
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value);
    }
    reply.hijack();
    app.routing(request.raw, reply.raw);
  };
  scope.all('/', forward);
  scope.all('/*', forward);
}

function readOnly(): DomainError {
  return new DomainError('insufficient_scope', {
    detail: 'Jobs are wake-ups: there is nothing to change about them.',
    extra: { title: 'The board is read-only' },
  });
}

async function reach(board: QueueBoard): Promise<void> {
  await board.ping().catch((cause: unknown) => {
    const detail = 'The queue is unreachable. Deliveries continue about one second later than usual.';
    throw new DomainError('unavailable', { detail, retryAfter: 5, cause });
  });
}

/** Opens at the first call and, where that failed, at the next. */
function openOnce<T>(open: () => Promise<T>): { open: () => Promise<T>; opened: () => Promise<T | undefined> } {
  let opened: Promise<T> | undefined;
  return {
    open: () => {
      opened ??= open().catch((error: unknown) => {
        opened = undefined;
        throw error;
      });
      return opened;
    },
    opened: async () => opened?.catch(() => undefined),
  };
}
