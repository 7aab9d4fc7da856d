import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { takesGzip } from './request.ts';

function entityTag(body: string | Buffer): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
}

/** Weak comparison (RFC 9110, section 13.1.2). */
function namesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header
    .split(',')
    .map((part) => part.trim().replace(/^W\//, ''))
    .some((part) => part === '*' || part === tag);
}

const JSON_TYPE = 'application/json; charset=utf-8';

export function sendTagged(
  request: FastifyRequest,
  reply: FastifyReply,
  body: string | Buffer,
  { tag = entityTag(body), type = JSON_TYPE } = {},
): FastifyReply {
  reply.header('etag', tag).header('cache-control', 'private, no-cache');
  if (namesTag(request.headers['if-none-match'], tag)) return reply.code(304).send();
  return reply.type(type).send(body);
}

/** A public text, made and compressed on the first request. */
export class SharedText {
  readonly #make: () => string;
  readonly #type: string;
  #made: { text: string; tag: string; zipped: Buffer; zippedTag: string } | undefined;

  constructor(make: () => string, type = JSON_TYPE) {
    this.#make = make;
    this.#type = type;
  }

  send(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const { text, tag, zipped, zippedTag } = (this.#made ??= compress(this.#make()));
    const type = this.#type;
    reply.header('vary', 'accept-encoding');
    if (!takesGzip(request.headers['accept-encoding'])) return sendTagged(request, reply, text, { tag, type });
    return sendTagged(request, reply.header('content-encoding', 'gzip'), zipped, { tag: zippedTag, type });
  }
}

function compress(text: string) {
  const zipped = gzipSync(text);
  return { text, tag: entityTag(text), zipped, zippedTag: entityTag(zipped) };
}

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
  if (request.protocol === 'https') reply.header('strict-transport-security', STRICT_TRANSPORT);
  const sent = request.headers['x-request-id'];
  if (typeof sent === 'string' && CLIENT_REQUEST_ID.test(sent)) reply.header('x-client-request-id', sent);
}
