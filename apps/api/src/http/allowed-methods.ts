import type { HttpMethod, HttpRoute, Operation } from '@finhook/contracts';

interface Pattern {
  pattern: RegExp;
  method: HttpMethod;
}

function routesOf({ http }: Operation): HttpRoute[] {
  return [http, ...(http.aliases ?? [])];
}

/** Which methods a path below the REST prefix knows, for the `Allow` header of a 405 (RFC 9110, section 15.5.6). */
export function createAllowedMethods(operations: readonly Operation[]): (path: string) => string[] {
  const patterns = operations.flatMap(routesOf).map(
    ({ path, method }): Pattern => ({
      pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      method,
    }),
  );
  return (path) => {
    const methods = new Set<string>(patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method));
    if (methods.has('GET')) methods.add('HEAD');
    return [...methods].sort();
  };
}
