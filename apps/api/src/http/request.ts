import { DomainError } from '@finhook/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

export function pathOf({ url }: FastifyRequest): string {
  return url.split('?', 1)[0] ?? '';
}

/** A header that may be repeated, with its values joined. */
export function headerOf({ headers }: Pick<FastifyRequest, 'headers'>, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(',') : value;
}

/** The Idempotency-Key of a request, and what marks its response as a stored one. */
export function idempotencyOf(reply: FastifyReply): { idempotencyKey: string | undefined; onReplay: () => void } {
  return {
    idempotencyKey: headerOf(reply.request, 'idempotency-key'),
    onReplay: () => void reply.header('idempotency-replayed', 'true'),
  };
}

/** Letters, digits, `-`, `.`, `_` and `~` (RFC 3986, section 2.3), percent-encoded: no client needs to send them so. */
const ENCODED_UNRESERVED = /%(?:2[de]|3\d|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae])/i;

/**
 * Throws `not_found` for a path that the router would decode into another one: a proxy that restricts `/ops` does not
 * recognize `/%6fps`.
 */
export function rejectEncodedPath(request: FastifyRequest): void {
  if (!ENCODED_UNRESERVED.test(pathOf(request))) return;
  throw new DomainError('not_found', {
    detail: 'There is nothing at this path: send letters, digits and - . _ ~ in it without percent-encoding.',
  });
}

/**
 * Removes the ports that some proxies write into X-Forwarded-For (`203.0.113.9:51234`, `[2001:db8::1]:443`), so that
 * `request.ip` is an address. Must run before the first use of `request.ip`.
 */
export function dropForwardedPorts(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }) => {
    const chain = raw.headers['x-forwarded-for'];
    // Node joins repeated headers into one.
    if (typeof chain === 'string') raw.headers['x-forwarded-for'] = chain.split(',').map(withoutPort).join(',');
  });
}

/** Every proxy that keeps the client's address adds one of these, and probes send neither. */
export function wasForwarded({ raw }: FastifyRequest): boolean {
  return raw.headers['x-forwarded-for'] !== undefined || raw.headers.forwarded !== undefined;
}

function withoutPort(entry: string): string {
  const [, v4, v6] = /^(?:(\d+(?:\.\d+){3}):\d+|\[([\da-f:.]+)\](?::\d+)?)$/i.exec(entry.trim()) ?? [];
  return v4 ?? v6 ?? entry;
}

/** Errors are JSON whatever the Accept header says. */
const alwaysServed = ['application/json', 'application/problem+json'];

/**
 * Throws `not_acceptable` when an Accept header (RFC 9110, section 12.5.1) admits neither `served` nor JSON.
 * `available` lists the content types for the message.
 */
export function assertAcceptable(accept: string | undefined, served: string, available: readonly string[]): void {
  if ([served, ...alwaysServed].some((type) => admits(accept, type))) return;
  throw new DomainError('not_acceptable', {
    detail: `The Accept header allows none of the content types of this resource. Available: ${available.join(', ')}.`,
    extra: { available },
  });
}

/** True for a browser's page load; programs that accept anything do not name text/html. */
export function wantsPage({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean {
  return (method === 'GET' || method === 'HEAD') && (headers.accept ?? '').includes('text/html');
}

/** The most specific range decides; a header without a valid range admits everything. */
function admits(accept = '', type: string): boolean {
  const weights = new Map(weightsOf(accept).filter(([range]) => /^[^/\s]+\/[^/\s]+$/.test(range)));
  if (weights.size === 0) return true;
  const wildcard = `${type.split('/', 1)[0]}/*`;
  return (weights.get(type) ?? weights.get(wildcard) ?? weights.get('*/*') ?? 0) > 0;
}

export function takesGzip(accepted = ''): boolean {
  return weightsOf(accepted).some(([coding, weight]) => coding === 'gzip' && weight > 0);
}

/** The members of a list with their weights (RFC 9110, section 12.4.2); 1 if absent or invalid. */
function weightsOf(header: string): [name: string, weight: number][] {
  return header.split(',').map((member) => {
    const [name = '', ...parameters] = member.split(';').map((part) => part.trim().toLowerCase());
    const weight = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1);
    return [name, Number.isNaN(weight) ? 1 : weight];
  });
}
