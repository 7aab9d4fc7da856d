import type { FastifyRequest } from 'fastify';

/**
 * Whether a page of ours sent the request, as the browser has it: `Sec-Fetch-Site`, or `Origin` where a browser has not
 * that. A request that says neither is not taken for one of ours.
 */
export function isSameOrigin(request: Pick<FastifyRequest, 'headers' | 'host'>): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin } = request.headers;
  return origin !== undefined && URL.parse(origin)?.host === request.host;
}
