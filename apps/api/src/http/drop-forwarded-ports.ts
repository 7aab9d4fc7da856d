import type { FastifyInstance } from 'fastify';

/**
 * Takes the ports off the addresses in X-Forwarded-For, which some proxies write (`203.0.113.9:51234`,
 * `[2001:db8::1]:443`), before anything asks for a request's address: with one, it is no address, and another each time.
 */
export function dropForwardedPorts(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }) => {
    const chain = raw.headers['x-forwarded-for'];
    // Node joins several of these headers into one.
    if (typeof chain === 'string') raw.headers['x-forwarded-for'] = chain.split(',').map(withoutPort).join(',');
  });
}

function withoutPort(entry: string): string {
  const [, v4, v6] = /^(?:(\d+(?:\.\d+){3}):\d+|\[([\da-f:.]+)\](?::\d+)?)$/i.exec(entry.trim()) ?? [];
  return v4 ?? v6 ?? entry;
}
