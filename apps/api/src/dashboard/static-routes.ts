import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import { DomainError } from '@finhook/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pathOf } from '../http/path-of.ts';
import type { OpenLink } from './open-link.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A page asks for many of these: the log tells of them at debug level only. */
    quiet?: boolean;
  }
}

/** Where the dashboard's build lies. */
export const builtDashboard = fileURLToPath(new URL('../../../dashboard/dist/', import.meta.url));

const NOT_BUILT = `The dashboard is not built. Run this in the folder of the service, then load the page again:

  npx -y pnpm@12.21.0 --filter @finhook/dashboard run build
`;

/** Only what looks like a file of the build is looked for: no hidden name, no step up, nothing encoded. */
const FILE = /^(?:[A-Za-z0-9_-][A-Za-z0-9_.-]*\/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*$/;
const ASSETS = 'assets/';
const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

const pageHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
};

/**
 * The dashboard's files below `/dashboard`: assets, whose names change with their content, for a year; the page for every
 * path that is no file, unless `openLink` answers. Files that the build compressed are sent as they are to who takes
 * them. `GET /` leads there.
 */
export function registerStaticRoutes(app: FastifyInstance, folder: string, openLink: OpenLink): void {
  // It sends files and says what they are; which ones is decided here.
  void app.register(fastifyStatic, { serve: false, preCompressed: true, dotfiles: 'deny', index: false });
  app.route({
    method: ['GET', 'HEAD'],
    url: '/',
    config: { quiet: true },
    handler: async (_request, reply) => reply.redirect('/dashboard', 303),
  });
  for (const url of ['/dashboard', '/dashboard/*']) {
    app.route({
      method: ['GET', 'HEAD'],
      url,
      config: { quiet: true },
      onRequest: openLink,
      handler: async (request, reply) => sendFile(request, reply, folder),
      errorHandler: refuseCondition,
    });
  }
}

async function sendFile(request: FastifyRequest, reply: FastifyReply, folder: string): Promise<FastifyReply> {
  reply.headers(pageHeaders);
  if (!(await isFile(join(folder, 'index.html')))) {
    return reply.code(503).type('text/plain; charset=utf-8').send(NOT_BUILT);
  }
  const path = pathOf(request).slice('/dashboard/'.length);
  const found = FILE.test(path) && path !== 'index.html' && (await isFile(join(folder, path)));
  if (found) {
    const immutable = path.startsWith(ASSETS);
    if (!immutable) reply.header('cache-control', 'no-cache');
    return reply.sendFile(path, folder, { cacheControl: immutable, immutable, maxAge: YEAR_MS });
  }
  if (path.startsWith(ASSETS)) throw new DomainError('not_found', { detail: 'The dashboard has no such file.' });
  return reply.header('cache-control', 'no-cache').sendFile('index.html', folder, { cacheControl: false });
}

/** A condition or a range that the file does not meet is the client's fault (RFC 9110, 15.5.13 and 15.5.17). */
function refuseCondition(error: Error, _request: FastifyRequest, reply: FastifyReply): void {
  const status = 'statusCode' in error ? error.statusCode : undefined;
  if (status !== 412 && status !== 416) throw error;
  void reply.code(status).type('text/plain; charset=utf-8').send(`${error.message}\n`);
}

async function isFile(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() === true;
}
