import type { FastifyInstance } from 'fastify';

/**
 * Notes the routes that are added to `app` from now on. What it returns says which methods a path knows, for the `Allow`
 * header of a 405 (RFC 9110, section 15.5.6); none where there is nothing.
 */
export function noteAllowedMethods(app: FastifyInstance): (path: string) => string[] {
  const routes: { url: string[]; methods: readonly string[] }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    routes.push({ url: url.split('/'), methods: [method].flat() });
  });
  return (path) => {
    const segments = path.split('/');
    const methods = routes.filter(({ url }) => leadsTo(url, segments)).flatMap((route) => route.methods);
    return [...new Set(methods)].sort();
  };
}

/** In a route, `:name` stands for any segment and a final `*` for any rest. */
function leadsTo(route: readonly string[], path: readonly string[]): boolean {
  const fits = (segment: string, place: number): boolean => {
    const actual = path[place];
    if (actual === undefined) return false;
    return segment === '*' || (segment.startsWith(':') ? actual !== '' : segment === actual);
  };
  return (route.at(-1) === '*' || route.length === path.length) && route.every(fits);
}
