import { serviceVersion } from '@finhook/runtime';
import type { FastifyInstance } from 'fastify';
import { wantsPage } from './accept.ts';

const links = {
  docs: '/docs',
  openapi: '/api/v1/openapi.json',
  errors: '/docs/errors',
  dashboard: '/dashboard',
  health: '/healthz',
};

/** The address that people and programs try first: leads a browser to the API reference, and tells others where it is. */
export function registerEntryRoute(app: FastifyInstance): void {
  app.get('/', { config: { quiet: true } }, async (request, reply) => {
    reply.header('vary', 'accept');
    if (wantsPage(request)) return reply.redirect(links.docs, 303);
    return { name: 'finhook', version: serviceVersion(), links };
  });
}
