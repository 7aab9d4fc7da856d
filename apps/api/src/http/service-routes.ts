import type { Core } from '@finhook/core';
import { serviceVersion } from '@finhook/runtime';
import type { FastifyInstance } from 'fastify';
import { wantsPage } from './request.ts';

const links = {
  docs: '/docs',
  openapi: '/api/v1/openapi.json',
  errors: '/docs/errors',
  dashboard: '/dashboard',
  health: '/healthz',
};

export function registerEntryRoute(app: FastifyInstance): void {
  app.get('/', { config: { quiet: true } }, async (request, reply) => {
    reply.header('vary', 'accept');
    if (wantsPage(request)) return reply.redirect(links.docs, 303);
    return { name: 'finhook', version: serviceVersion(), links };
  });
}

export interface HealthOptions {
  core: Core;
  pingQueue: () => Promise<void>;
}

type Check = 'ok' | 'unreachable' | 'read-only' | 'migrations pending';

/** `/healthz`: the process is up. `/readyz`: database and queue take writes and migrations are current. */
export function registerHealthRoutes(app: FastifyInstance, { core, pingQueue }: HealthOptions): void {
  app.get('/healthz', async () => ({ status: 'ok', version: serviceVersion() }));
  app.get('/readyz', async (_request, reply) => {
    const [database, queue] = await Promise.all([checkDatabase(core), checkQueue(pingQueue)]);
    const ready = database === 'ok' && queue === 'ok';
    if (!ready) reply.code(503).header('retry-after', '5');
    return { status: ready ? 'ready' : 'not ready', checks: { database, queue } };
  });
}

async function checkDatabase(core: Core): Promise<Check> {
  try {
    const { isReadOnly, pendingMigrations } = await core.database.state();
    if (isReadOnly) return 'read-only';
    return pendingMigrations.length === 0 ? 'ok' : 'migrations pending';
  } catch {
    return 'unreachable';
  }
}

async function checkQueue(ping: () => Promise<void>): Promise<Check> {
  try {
    await ping();
    return 'ok';
  } catch {
    return 'unreachable';
  }
}
