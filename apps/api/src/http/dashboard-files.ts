import { join } from 'node:path';
import { DomainError } from '@finhook/core';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { isFile, pageHeaders, rejectPrecondition, sendNotBuilt } from './built-files.ts';
import { pathOf } from './path-of.ts';

/** Only what looks like a file of the build is looked for: no hidden name, no step up, nothing encoded. */
const FILE = /^(?:[A-Za-z0-9_-][A-Za-z0-9_.-]*\/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*$/;
const ASSETS = 'assets/';
const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

const headers = pageHeaders("'self'");

/**
 * The dashboard's files below `/dashboard`: assets, whose names change with their content, for a year; the page for every
 * path that is no file, unless `openLink` answers.
 */
export function registerStaticRoutes(app: FastifyInstance, folder: string, openLink: onRequestAsyncHookHandler): void {
  for (const url of ['/dashboard', '/dashboard/*']) {
    app.route({
      method: ['GET', 'HEAD'],
      url,
      config: { quiet: true },
      onRequest: openLink,
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
