import { jobs } from '@finhook/contracts';
import { DomainError } from '@finhook/core';
import { openQueueBoard, type QueueBoard } from '@finhook/queue';
import { type Logger, maskText } from '@finhook/runtime';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { cookieChallenge, opsPath, withReferrer } from './page.ts';

export interface QueueBoardOptions {
  readonly queueUrl: string;
  readonly logger: Logger;
}

const boardPath = `${opsPath}/queues`;
/** The board has inline styles. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
  "form-action 'none'; base-uri 'self'; frame-ancestors 'none'";
const readMethods = ['GET', 'HEAD'];

export async function registerQueueBoard(scope: FastifyInstance, options: QueueBoardOptions): Promise<void> {
  const { queueUrl, logger } = options;
  const opening = openOnce(async () => {
    const board = openQueueBoard(queueUrl, { logger });
    try {
      return { board, app: await createBoardApp({ board, path: boardPath }) };
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
    if (request.url.startsWith(`${boardPath}/api/`)) await reach(board);
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

/** Opens on the first call; retries on the next call after a failure. */
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

interface BoardAppOptions {
  readonly board: QueueBoard;
  readonly path: string;
}

/** The policy blocks these links, and browsers would report each. The console's colours and fonts take their place. */
const remoteFonts = /<link href="https:\/\/fonts\.googleapis\.com[^>]*>/g;
const ownStyle = `<link href="${opsPath}/board.css" rel="stylesheet">`;
/** The board's own links are in a menu behind an icon. */
const root = '<div id="root">';
const linkBack = `<nav id="console" aria-label="Console"><a href="${opsPath}">← Overview</a></nav>`;
const bodyLimit = 64 * 1024;

/**
 * The library's board as a Fastify application of its own that does not listen, so that its plugins do not affect the
 * api. Loads the library on first use.
 */
async function createBoardApp({ board, path }: BoardAppOptions): Promise<FastifyInstance> {
  const [{ createBullBoard }, { BullMQAdapter }, { FastifyAdapter }] = await Promise.all([
    import('@bull-board/api'),
    import('@bull-board/api/bullMQAdapter'),
    import('@bull-board/fastify'),
  ]);
  const adapt = ({ job, queue }: ReturnType<QueueBoard['queues']>[number]) => {
    const adapter = new BullMQAdapter(queue, { readOnlyMode: true, allowRetries: false });
    const show = (data: unknown) => (jobs[job].payload.safeParse(data).success ? data : 'not shown');
    adapter.setFormatter('data', show);
    adapter.setFormatter('returnValue', () => undefined);
    adapter.setFormatter('name', (shown) => maskText(String(Reflect.get(Object(shown), 'name'))));
    return adapter;
  };
  const serverAdapter = new FastifyAdapter();
  serverAdapter.setBasePath(path);
  let opened = board.queues();
  const { replaceQueues } = createBullBoard({
    queues: opened.map(adapt),
    serverAdapter,
    options: {
      uiConfig: {
        boardTitle: 'finhook queues',
        miscLinks: [{ text: 'Overview', url: '/ops' }],
        hideDocsLink: true,
      },
    },
  });
  const app = Fastify({ logger: false, return503OnClosing: false, bodyLimit });
  app.addHook('onRequest', async (request, reply) => {
    // PostgreSQL rejects NUL, and the board would show its error.
    if (request.url.includes('%00')) return reply.callNotFound();
    const now = board.queues();
    if (now.every(({ queue }, index) => queue === opened[index]?.queue)) return;
    opened = now;
    replaceQueues(now.map(adapt));
  });
  app.addHook('onSend', async (_request, reply, payload) => {
    const isPage = String(reply.getHeader('content-type')).startsWith('text/html');
    if (!isPage || typeof payload !== 'string') return payload;
    return payload.replace(remoteFonts, ownStyle).replace(root, `${linkBack}${root}`);
  });
  await app.register(serverAdapter.registerPlugin(), { prefix: path });
  await app.ready();
  return app;
}
