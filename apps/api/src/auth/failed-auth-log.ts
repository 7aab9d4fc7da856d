import { type DenialLog, KeyRejected, SessionEnded } from '@finhook/core';
import { type Logger, maskText } from '@finhook/runtime';
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

export function createFailedAuthLog({ limits, denials, logger }: FailedAuthLogOptions): LogFailedAuth {
  return async (error, operation, { id, ip }) => {
    if (isGuess(error)) await limits.failedAuth(ip);
    // A known key is logged in its account's audit log, an unknown one in the operator's log.
    const rejected = error instanceof SessionEnded ? error.cause : error;
    const { status, code } = toDomainError(error);
    if (rejected instanceof KeyRejected) {
      denials.note({
        principal: rejected.principal,
        code: rejected.code,
        operation: maskText(operation),
        request: { id, ip },
      });
    } else if (status === 401) logger.warn({ request_id: id, ip, code }, 'rejected authentication');
  };
}

/**
 * Excludes expired sessions, CSRF failures and changed sessions, because an open page repeats its requests. Includes keys
 * from an address that is not allowed, so that it cannot use up the key's own quota.
 */
function isGuess(error: unknown): boolean {
  if (error instanceof SessionEnded) return !error.isKnown;
  const { status, code } = toDomainError(error);
  return [401, 403].includes(status) && code !== 'csrf_failed' && code !== 'session_changed';
}
