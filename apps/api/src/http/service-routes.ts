import { type Core, DomainError } from '@finhook/core';
import { serviceVersion } from '@finhook/runtime';
import type { FastifyInstance } from 'fastify';
import { wantsPage, wasForwarded } from './request.ts';

const CHECK_INTERVAL_MS = 1_000;

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

export function registerIconRoute(app: FastifyInstance): void {
  app.get('/favicon.ico', { config: { quiet: true } }, async (_request, reply) =>
    reply.header('cache-control', 'max-age=86400').redirect('/dashboard/favicon.svg', 301),
  );
}

interface HealthOptions {
  core: { database: Pick<Core['database'], 'state' | 'tryWrite'> };
  pingQueue: () => Promise<void>;
  checkIntervalMs?: number | undefined;
}

type Check = 'ok' | 'unreachable' | 'read-only' | 'writes fail' | 'migrations pending';

type Checks = Readonly<Record<'database' | 'queue', Check>>;

type CheckReadiness = () => Promise<Checks>;

export interface Health {
  /** True from the beginning of a stop, while requests are still served. */
  readonly isStopping: () => boolean;
  readonly checkStores: CheckReadiness;
}

/** Probes need no key, so all share one check per interval. */
export function createReadiness({
  core,
  pingQueue,
  checkIntervalMs = CHECK_INTERVAL_MS,
}: HealthOptions): CheckReadiness {
  let latest: { at: number; checks: Promise<Checks>; ended: boolean } | undefined;
  const check = async (): Promise<Checks> => {
    const [database, queue] = await Promise.all([checkDatabase(core), checkQueue(pingQueue)]);
    return { database, queue };
  };
  return () => {
    const now = performance.now();
    if (latest !== undefined && (!latest.ended || now - latest.at < checkIntervalMs)) return latest.checks;
    const begun = { at: now, checks: check(), ended: false };
    latest = begun;
    return begun.checks.finally(() => (begun.ended = true));
  };
}

/**
 * `/readyz` checks that database and queue take writes and no migration is pending. Behind a proxy it is 404: it
 * describes one process of several, and nothing for the public. Both are 503 while the process stops.
 */
export function registerHealthRoutes(app: FastifyInstance, { isStopping, checkStores }: Health): void {
  app.get('/healthz', { config: { quiet: true } }, async (_request, reply) => {
    if (isStopping()) reply.code(503);
    return { status: isStopping() ? 'stopping' : 'ok', version: serviceVersion() };
  });
  app.get('/readyz', { config: { quiet: true } }, async (request, reply) => {
    if (wasForwarded(request)) {
      throw new DomainError('not_found', { detail: 'A proxy passed this on: ask a process itself for its readiness.' });
    }
    const checks = await checkStores();
    const ready = checks.database === 'ok' && checks.queue === 'ok' && !isStopping();
    if (!ready) reply.code(503).header('retry-after', '5');
    return { status: isStopping() ? 'stopping' : ready ? 'ready' : 'not ready', checks };
  });
}

async function checkDatabase(core: HealthOptions['core']): Promise<Check> {
  try {
    const { isReadOnly, pendingMigrations } = await core.database.state();
    if (isReadOnly) return 'read-only';
    if (pendingMigrations.length > 0) return 'migrations pending';
  } catch {
    return 'unreachable';
  }
  try {
    await core.database.tryWrite();
    return 'ok';
  } catch {
    return 'writes fail';
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
