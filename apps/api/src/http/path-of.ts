import type { FastifyRequest } from 'fastify';

/** What stands before the query in a request's target. */
export function pathOf({ url }: FastifyRequest): string {
  return url.split('?', 1)[0] ?? '';
}
