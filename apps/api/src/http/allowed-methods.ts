import { DomainError, truncate } from '@finhook/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorHandler } from './problem.ts';
import { pathOf } from './request.ts';

/** Returns the methods of a path, for `Allow` (RFC 9110, 15.5.6), among the routes that are added from now on. */
export function noteAllowedMethods(app: FastifyInstance): (path: string) => string[] {
  const routes: { url: string[]; methods: readonly string[] }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    routes.push({ url: url.split('/'), methods: [method].flat() });
  });
  return (path) => {
    const segments = path.split('/');
    const methods = routes.filter(({ url }) => matchesRoute(url, segments)).flatMap((route) => route.methods);
    return methods.length === 0 ? [] : [...new Set([...methods, 'OPTIONS'])].sort();
  };
}

/** `:name` matches any segment, a final `*` the rest of the path. */
function matchesRoute(route: readonly string[], path: readonly string[]): boolean {
  const fits = (segment: string, place: number): boolean => {
    const actual = path[place];
    if (actual === undefined) return false;
    return segment === '*' || (segment.startsWith(':') ? actual !== '' : segment === actual);
  };
  return (route.at(-1) === '*' || route.length === path.length) && route.every(fits);
}

/** 404, or with `Allow` 405 and, for OPTIONS, 204 without CORS headers. */
export function createUnroutedHandler(allowedMethods: (path: string) => string[], fail: ErrorHandler) {
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const path = pathOf(request);
    const allowed = allowedMethods(path);
    if (allowed.length === 0) {
      return fail(
        new DomainError('not_found', { detail: `There is nothing at ${truncate(path, 200)}.` }),
        request,
        reply,
      );
    }
    reply.header('allow', allowed.join(', '));
    if (request.method === 'OPTIONS') return reply.code(204).send();
    const detail = `${request.method} is not allowed here; allowed are ${allowed.join(', ')}.`;
    return fail(new DomainError('method_not_allowed', { detail, extra: { allowed } }), request, reply);
  };
}
