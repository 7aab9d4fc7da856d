import { createHmac, timingSafeEqual } from 'node:crypto';
import { DomainError } from '@finhook/core';
import type { FastifyRequest } from 'fastify';
import { headerOf } from '../http/request.ts';

const HEADER = 'x-csrf-token';

function csrfFailed(detail: string): DomainError {
  return new DomainError('csrf_failed', { detail });
}

/** Another site can send the HttpOnly session cookie but not read it, so it cannot derive the token. */
export function csrfTokenOf(sessionToken: string): string {
  return createHmac('sha256', sessionToken).update('finhook csrf token').digest('base64url');
}

export function isRead({ method }: Pick<FastifyRequest, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Throws `csrf_failed` for a request from another site, and for a write without the session's CSRF token. */
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

/** Throws `csrf_failed` unless a page of this service sent the request: no other site may sign a browser in. */
export function checkOwnOrigin(request: Pick<FastifyRequest, 'headers' | 'host'>): void {
  if (isSameOrigin(request)) return;
  throw csrfFailed(
    'Sign in from the dashboard of this service: the request has no matching Origin or Sec-Fetch-Site header.',
  );
}

/** Checks `Sec-Fetch-Site`, or `Origin` for browsers without it. A request with neither header is not same-origin. */
export function isSameOrigin(request: Pick<FastifyRequest, 'headers' | 'host'>): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin } = request.headers;
  return origin !== undefined && URL.parse(origin)?.host === request.host;
}
