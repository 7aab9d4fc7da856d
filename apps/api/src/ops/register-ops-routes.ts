import { readFileSync } from 'node:fs';
import type { JobName } from '@finhook/contracts';
import { type Core, DomainError, isOperatorSignedOut, settleWithin, signOutOperator } from '@finhook/core';
import { type JobCounts, parseQueueUrl } from '@finhook/queue';
import type { Logger } from '@finhook/runtime';
import type { FastifyInstance } from 'fastify';
import { isRead } from '../auth/csrf.ts';
import { toDomainError } from '../http/problem.ts';
import { wantsPage } from '../http/request.ts';
import { withPalette } from '../http/style-sheet.ts';
import { registerEndpointActions } from './endpoint-actions.ts';
import { createGuessTurns } from './guess-turns.ts';
import { createOperatorSessions, type OperatorSignOuts } from './operator-sessions.ts';
import { cookieChallenge, opsPath, sendPage } from './page.ts';
import { registerQueueBoard } from './queue-board.ts';
import { createStatusReader } from './read-status.ts';
import { registerSignInRoutes } from './sign-in-routes.ts';
import { statusPage } from './status-page.ts';

export interface OpsOptions {
  readonly password: string;
  /** Comma-separated; the first one signs sessions. */
  readonly secretsKey: string;
  readonly queueUrl: string;
  readonly countJobs: (job: JobName) => Promise<JobCounts>;
  /** Interval between password comparisons of an address; a second by default. */
  readonly pause?: (() => Promise<void>) | undefined;
  /** Interval between samples of due deliveries; a minute by default. */
  readonly sampleMs?: number | undefined;
  /** Limit of the count on the page of a replay; four seconds by default. */
  readonly previewMs?: number | undefined;
}

export interface OpsRoutesOptions {
  readonly core: Core;
  readonly logger: Logger;
  readonly ops: OpsOptions | undefined;
}

const SIGN_OUT_TIMEOUT_MS = 1_000;

export async function registerOpsRoutes(app: FastifyInstance, options: OpsRoutesOptions): Promise<void> {
  const { core, logger, ops } = options;
  if (ops === undefined) return;
  const signOuts = createSignOuts(core);
  const sessions = createOperatorSessions({ ...ops, clock: core.clock, signOuts });
  // Nothing is changed while it is unknown whether the operator has signed out.
  const certain = { ...signOuts, has: (id: string) => isOperatorSignedOut(core, id) };
  const changing = createOperatorSessions({ ...ops, clock: core.clock, signOuts: certain });
  const turns = createGuessTurns(ops.pause);
  const files = [
    ['style.css', 'text/css'],
    ['board.css', 'text/css'],
    ['refresh.js', 'text/javascript'],
  ] as const;
  await app.register(
    async (open) => {
      registerSignInRoutes(open, { sessions, turns, logger });
      for (const [name, type] of files) {
        const text = readFileSync(new URL(`./${name}`, import.meta.url), 'utf8');
        const content = name === 'style.css' ? withPalette(text) : text;
        open.get(`/${name}`, async (_request, reply) =>
          reply.header('cache-control', 'max-age=300').type(`${type}; charset=utf-8`).send(content),
        );
      }
    },
    { prefix: opsPath },
  );
  await app.register(
    async (closed) => {
      closed.addHook('onRequest', async (request, reply) => {
        const checked = isRead(request) ? sessions : changing;
        if (await checked.isOpen(request.headers.cookie)) return;
        if (!wantsPage(request)) {
          reply.header('www-authenticate', cookieChallenge);
          throw notSignedIn();
        }
        await reply.redirect(`${opsPath}/sign-in`, 303);
      });
      closed.setNotFoundHandler(async () => {
        throw new DomainError('not_found', { detail: 'The console has no page at this path.' });
      });
      registerOverview(closed, { core, logger, ops });
      await closed.register(
        async (scope) => registerEndpointActions(scope, { core, logger, previewMs: ops.previewMs }),
        {
          prefix: '/endpoints',
        },
      );
      await closed.register((board) => registerQueueBoard(board, { ...ops, logger }), { prefix: '/queues' });
    },
    { prefix: opsPath },
  );
}

/** While the database is down every session may read: the console is needed then, and shows none of its data. */
function createSignOuts(core: Core): OperatorSignOuts {
  return {
    add: (session) => signOutOperator(core, session),
    async has(sessionId) {
      try {
        return (await settleWithin(SIGN_OUT_TIMEOUT_MS, isOperatorSignedOut(core, sessionId))) ?? false;
      } catch (error) {
        if (toDomainError(error).code === 'unavailable') return false;
        throw error;
      }
    },
  };
}

function registerOverview(
  scope: FastifyInstance,
  { core, logger, ops }: { core: Core; logger: Logger; ops: OpsOptions },
): void {
  const reader = createStatusReader({ core, logger, ...ops });
  scope.addHook('onClose', () => reader.close());
  const backend = parseQueueUrl(ops.queueUrl).kind;
  scope.get<{ Querystring: { refresh?: unknown } }>('/', async (request, reply) => {
    const refreshes = request.query.refresh !== 'off';
    const main = statusPage({ status: await reader.read(), backend, refreshes });
    return sendPage(reply, 200, { title: 'Overview', main, signedIn: true, refreshes });
  });
}

function notSignedIn(): DomainError {
  return new DomainError('missing_credentials', {
    detail: `Sign in to the console at ${opsPath}/sign-in.`,
    extra: { title: 'Sign-in required' },
  });
}
