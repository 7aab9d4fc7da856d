import type { IncomingMessage } from 'node:http';
import { DomainError } from '@finhook/core';

function missing(detail: string): DomainError {
  return new DomainError('missing_credentials', { detail });
}

/**
 * The key of `Authorization: Bearer sk_…` (RFC 6750). Throws `missing_credentials` when it is absent, of another
 * scheme, or sent twice. A key in the URL is never looked at: URLs end up in logs.
 */
export function readBearer(request: IncomingMessage): string {
  const sent = request.headersDistinct['authorization'] ?? [];
  const [header] = sent;
  if (sent.length > 1) throw missing('Send one Authorization header.');
  if (header === undefined || header.trim() === '') {
    throw missing('Send the API key in the header: Authorization: Bearer sk_…');
  }
  const match = /^Bearer +([^\s,]+)$/i.exec(header.trim());
  if (!match?.[1]) throw missing('The Authorization header must be: Bearer sk_…');
  return match[1];
}
