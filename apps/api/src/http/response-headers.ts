import type { FastifyReply, FastifyRequest } from 'fastify';

const API_VERSION = '1.0';
const STRICT_TRANSPORT = `max-age=${365 * 24 * 60 * 60}`;
const CLIENT_REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

export const securityHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-api-version': API_VERSION,
};

export function setHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(securityHeaders).header('x-request-id', request.id);
  // From X-Forwarded-Proto behind a trusted proxy.
  if (request.protocol === 'https') reply.header('strict-transport-security', STRICT_TRANSPORT);
  const sent = request.headers['x-request-id'];
  if (typeof sent === 'string' && CLIENT_REQUEST_ID.test(sent)) reply.header('x-client-request-id', sent);
}
