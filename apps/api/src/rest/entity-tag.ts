import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

export function entityTag(body: string | Buffer): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
}

/** Compares weakly (RFC 9110, section 13.1.2). */
function namesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header
    .split(',')
    .map((part) => part.trim().replace(/^W\//, ''))
    .some((part) => part === '*' || part === tag);
}

/** Sends a JSON body with its ETag, or 304 if the client has it. Clients must revalidate. */
export function sendTagged(
  request: FastifyRequest,
  reply: FastifyReply,
  body: string | Buffer,
  tag = entityTag(body),
): FastifyReply {
  reply.header('etag', tag).header('cache-control', 'private, no-cache');
  if (namesTag(request.headers['if-none-match'], tag)) return reply.code(304).send();
  return reply.type('application/json; charset=utf-8').send(body);
}
