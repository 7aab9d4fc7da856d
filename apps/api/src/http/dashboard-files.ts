import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import { DomainError } from '@finhook/core';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { pathOf } from './request.ts';

const FILE = /^(?:[A-Za-z0-9_-][A-Za-z0-9_.-]*\/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*$/;
const ASSETS = 'assets/';
const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

const headers = pageHeaders("'self'");

/** Assets have a hash in their names and are cached for a year; other paths get the page. */
export function registerStaticRoutes(app: FastifyInstance, folder: string, showLink: onRequestAsyncHookHandler): void {
  for (const url of ['/dashboard', '/dashboard/*']) {
    app.route({
      method: ['GET', 'HEAD'],
      url,
      config: { quiet: true },
      onRequest: showLink,
      handler: async (request, reply) => sendFile(request, reply, folder),
      errorHandler: rejectPrecondition,
    });
  }
}

async function sendFile(request: FastifyRequest, reply: FastifyReply, folder: string): Promise<FastifyReply> {
  reply.headers(headers);
  if (!(await isFile(join(folder, 'index.html')))) return sendNotBuilt(reply);
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

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Logs requests of this route at debug level. */
    quiet?: boolean;
  }
}

export const builtDashboard = fileURLToPath(new URL('../../../dashboard/dist/', import.meta.url));

const NOT_BUILT = `The dashboard and the API reference are not built. Run this in the folder of the service, then load the page again:

  npx -y pnpm@12.21.0 --filter @finhook/dashboard run build
`;

/** Adds `reply.sendFile`, which prefers the compressed files of the build. */
export function allowFiles(app: FastifyInstance): void {
  void app.register(fastifyStatic, { serve: false, preCompressed: true, dotfiles: 'deny', index: false });
}

export function pageHeaders(styles: string): Record<string, string> {
  return {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      `style-src ${styles}`,
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
}

export async function isFile(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() === true;
}

export function sendNotBuilt(reply: FastifyReply): FastifyReply {
  return reply.code(503).type('text/plain; charset=utf-8').send(NOT_BUILT);
}

/** A failed precondition or range is a client error (RFC 9110, 15.5.13 and 15.5.17). */
export function rejectPrecondition(error: Error, _request: FastifyRequest, reply: FastifyReply): void {
  const status = 'statusCode' in error ? error.statusCode : undefined;
  if (status !== 412 && status !== 416) throw error;
  void reply.code(status).type('text/plain; charset=utf-8').send(`${error.message}\n`);
}
