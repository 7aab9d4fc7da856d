import { type DenialLog, KeyRejected, SessionEnded } from '@finhook/core';
import type { Logger } from '@finhook/runtime';
import { toDomainError } from '../http/problem.ts';
import type { RateLimits } from './rate-limits.ts';

export interface FailedAuthLogOptions {
  limits: Pick<RateLimits, 'failedAuth'>;
  denials: DenialLog;
  logger: Logger;
}

/** Counts and logs a failed authentication. Throws `rate_limited` when its address had too many. */
export type LogFailedAuth = (
  error: unknown,
  operation: string,
  request: { readonly id: string; readonly ip: string },
) => Promise<void>;

/** The one place that knows which errors look like guessing. */
export function createFailedAuthLog({ limits, denials, logger }: FailedAuthLogOptions): LogFailedAuth {
  return async (error, operation, { id, ip }) => {
    if (isGuess(error)) await limits.failedAuth(ip);
    // A rejected key that exists goes into the audit log of its account; one that doesn't exist, into the operator's log.
    const refused = error instanceof SessionEnded ? error.cause : error;
    const { status, code } = toDomainError(error);
    if (refused instanceof KeyRejected) {
      denials.note({ principal: refused.principal, code: refused.code, operation, request: { id, ip } });
    } else if (status === 401) logger.warn({ request_id: id, ip, code }, 'refused authentication');
  };
}

/**
 * A key from a forbidden address counts too: its own quota must not be used up from there. A page that is left open past
 * its session's end asks again and again, and one of another site, or of a session before, says nothing about the address.
 */
function isGuess(error: unknown): boolean {
  if (error instanceof SessionEnded) return !error.isKnown;
  const { status, code } = toDomainError(error);
  return [401, 403].includes(status) && code !== 'csrf_failed' && code !== 'session_changed';
}
