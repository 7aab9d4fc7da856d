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

export function idempotencyOf(reply: FastifyReply): { idempotencyKey: string | undefined; onReplay: () => void } {
  return {
    idempotencyKey: headerOf(reply.request, 'idempotency-key'),
    onReplay: () => void reply.header('idempotency-replayed', 'true'),
  };
}

/** Percent-encoded unreserved characters (RFC 3986, section 2.3), which no client needs. */
const ENCODED_UNRESERVED = /%(?:2[de]|3\d|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae])/i;

/** A proxy that restricts `/ops` does not recognize `/%6fps`, which the router would decode. Throws `not_found`. */
export function rejectEncodedPath(request: FastifyRequest): void {
  if (!ENCODED_UNRESERVED.test(pathOf(request))) return;
  throw new DomainError('not_found', {
    detail: 'There is nothing at this path: send letters, digits and - . _ ~ in it without percent-encoding.',
  });
}

/** Some proxies add ports to X-Forwarded-For (`203.0.113.9:51234`). Must run before `request.ip` is read. */
export function dropForwardedPorts(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }) => {
    const chain = raw.headers['x-forwarded-for'];
    if (typeof chain === 'string') raw.headers['x-forwarded-for'] = chain.split(',').map(withoutPort).join(',');
  });
}

/** True behind a proxy: probes send neither header. */
export function wasForwarded({ raw }: FastifyRequest): boolean {
  return raw.headers['x-forwarded-for'] !== undefined || raw.headers.forwarded !== undefined;
}

function withoutPort(entry: string): string {
  const [, v4, v6] = /^(?:(\d+(?:\.\d+){3}):\d+|\[([\da-f:.]+)\](?::\d+)?)$/i.exec(entry.trim()) ?? [];
  return v4 ?? v6 ?? entry;
}

/** Errors are JSON for every Accept header. */
const alwaysServed = ['application/json', 'application/problem+json'];

/** Throws `not_acceptable` if the Accept header (RFC 9110, section 12.5.1) admits neither `served` nor JSON. */
export function assertAcceptable(accept: string | undefined, served: string, available: readonly string[]): void {
  if ([served, ...alwaysServed].some((type) => admits(accept, type))) return;
  throw new DomainError('not_acceptable', {
    detail: `The Accept header allows none of the content types of this resource. Available: ${available.join(', ')}.`,
    extra: { available },
  });
}

/** True for the page load of a browser. */
export function wantsPage({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean {
  return (method === 'GET' || method === 'HEAD') && (headers.accept ?? '').includes('text/html');
}

/** The most specific range decides; without a valid range everything is accepted. */
function admits(accept = '', type: string): boolean {
  const weights = new Map(weightsOf(accept).filter(([range]) => /^[^/\s]+\/[^/\s]+$/.test(range)));
  if (weights.size === 0) return true;
  const wildcard = `${type.split('/', 1)[0]}/*`;
  return (weights.get(type) ?? weights.get(wildcard) ?? weights.get('*/*') ?? 0) > 0;
}

export function takesGzip(accepted = ''): boolean {
  return weightsOf(accepted).some(([coding, weight]) => coding === 'gzip' && weight > 0);
}

/** RFC 9110, section 12.4.2. */
function weightsOf(header: string): [name: string, weight: number][] {
  return header.split(',').map((member) => {
    const [name = '', ...parameters] = member.split(';').map((part) => part.trim().toLowerCase());
    const weight = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1);
    return [name, Number.isNaN(weight) ? 1 : weight];
  });
}
