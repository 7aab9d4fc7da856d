import { DomainError } from '@finhook/core';
import type { FastifyRequest } from 'fastify';

/** What stands before the query in a request's target. */
export function pathOf({ url }: FastifyRequest): string {
  return url.split('?', 1)[0] ?? '';
}

/** Letters, digits, `-`, `.`, `_` and `~` (RFC 3986, section 2.3), percent-encoded: no client needs to send them so. */
const ENCODED_UNRESERVED = /%(?:2[de]|3\d|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae])/i;

/**
 * Throws `not_found` for a path that the router would decode into another one. A proxy that restricts `/ops` by its path
 * does not recognize `/%6fps`.
 */
export function rejectEncodedPath(request: FastifyRequest): void {
  if (!ENCODED_UNRESERVED.test(pathOf(request))) return;
  throw new DomainError('not_found', {
    detail: 'There is nothing at this path: send letters, digits and - . _ ~ in it without percent-encoding.',
  });
}
