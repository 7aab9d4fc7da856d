import { type ErrorCode, errors } from '@finhook/contracts';
import type { DomainError } from '@finhook/core';

const BEARER = 'Bearer realm="finhook"';
const badKey: ReadonlySet<ErrorCode> = new Set(['invalid_api_key', 'expired_api_key', 'revoked_api_key']);

/** The `WWW-Authenticate` header of an error (RFC 6750, section 3); undefined where there is none. */
export function challengeOf({ status, code, extra }: DomainError): string | undefined {
  if (code === 'insufficient_scope') return `${BEARER}, error="insufficient_scope"${scopeOf(extra)}`;
  if (status !== 401) return undefined;
  // A request without a key, and one with a session cookie only, has no token to find fault with.
  if (!badKey.has(code)) return BEARER;
  return `${BEARER}, error="invalid_token", error_description="${errors[code].title}"`;
}

function scopeOf({ required, required_permission: permission }: DomainError['extra']): string {
  const needed = Array.isArray(required) ? required.join(' ') : permission;
  return typeof needed === 'string' ? `, scope="${needed}"` : '';
}
