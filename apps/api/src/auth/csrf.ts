import { createHmac, timingSafeEqual } from 'node:crypto';
import { DomainError } from '@finhook/core';
import type { FastifyRequest } from 'fastify';

const HEADER = 'x-csrf-token';

function csrfFailed(detail: string): DomainError {
  return new DomainError('csrf_failed', { detail });
}

/** What a page of the session proves itself with: whoever has only the browser's cookie with him cannot tell it. */
export function csrfTokenOf(sessionToken: string): string {
  return createHmac('sha256', sessionToken).update('finhook csrf token').digest('base64url');
}

export function isRead({ method }: Pick<FastifyRequest, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD';
}

function headerOf({ headers }: Pick<FastifyRequest, 'headers'>, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(',') : value;
}

/**
 * Throws `csrf_failed` for a request with a session's cookie that a page of another site made, or that changes something
 * without the session's token.
 */
export function checkCsrf(request: Pick<FastifyRequest, 'method' | 'headers'>, sessionToken: string): void {
  const site = headerOf(request, 'sec-fetch-site');
  if (site !== undefined && site !== 'same-origin' && site !== 'none') {
    throw csrfFailed('A page of another site sent this request. Use the dashboard, or send an API key.');
  }
  if (isRead(request)) return;
  const sent = Buffer.from(headerOf(request, HEADER) ?? '');
  const wanted = Buffer.from(csrfTokenOf(sessionToken));
  if (sent.length === wanted.length && timingSafeEqual(sent, wanted)) return;
  throw csrfFailed(
    `Send the session's csrf_token in the header ${HEADER}. Reload the page if it belongs to an older session.`,
  );
}

/** Throws `csrf_failed` unless a page of this service asks to sign in: nobody is to be signed in as somebody else. */
export function checkOwnOrigin(request: Pick<FastifyRequest, 'headers' | 'host'>): void {
  if (isSameOrigin(request)) return;
  throw csrfFailed(
    'Sign in from the dashboard of this service: the request has no matching Origin or Sec-Fetch-Site header.',
  );
}

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
