import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Connection failures, insufficient resources, shutdown or start-up, idle transaction timeout, and a primary that
 * became a replica.
 */
const UNAVAILABLE_CLASSES = /^(08|53|57P0[123]|25P03|25006)/;
const SOCKET_CODES = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'];
const NETWORK_CODES = new Set([...SOCKET_CODES, 'ENOTFOUND', 'EAI_AGAIN']);

export function databaseErrorCode(error: unknown): string | undefined {
  for (let current = error; current instanceof Error; current = current.cause) {
    const code: unknown = Reflect.get(current, 'code');
    if (typeof code === 'string') return code;
  }
  return undefined;
}

class OutcomeUnknown extends Error {
  // The ORM wraps errors and copies only their properties.
  readonly outcomeUnknown = true;
}

export function errorOfCommit(error: unknown): unknown {
  // A server that reports that it is out of resources or read-only has not committed.
  const isReported = /^(53|25006)/.test(databaseErrorCode(error) ?? '');
  if (isReported || !isDatabaseUnavailable(error)) return error;
  return new OutcomeUnknown('The connection was lost before the database said that it committed.', { cause: error });
}

/** True if a write may have been committed without confirmation. */
export function isOutcomeUnknown(error: unknown): boolean {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (Reflect.get(current, 'outcomeUnknown') === true) return true;
  }
  return false;
}

/** True if the database was unreachable or shut down, so that a retry may succeed. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (isOutcomeUnknown(error)) return true;
  const code = databaseErrorCode(error);
  if (code !== undefined) return UNAVAILABLE_CLASSES.test(code) || NETWORK_CODES.has(code);
  return (
    error instanceof Error &&
    /Connection terminated|Client was closed|timeout exceeded when trying to connect|Client has encountered a connection error/.test(
      error.message,
    )
  );
}

/**
 * Wrong password, missing user or database, untrusted certificate. Retried like an outage, except at start, where it is
 * a configuration error.
 */
function isLoginRefused(error: unknown): boolean {
  return /^(28|3D000|DEPTH_ZERO_|SELF_SIGNED_|CERT_|UNABLE_TO_|ERR_TLS_|ERR_SSL_)/.test(databaseErrorCode(error) ?? '');
}

/** True if the database is unavailable or rejects the login. */
export function isDatabaseAway(error: unknown): boolean {
  return isDatabaseUnavailable(error) || isLoginRefused(error);
}

/** True if the account is moving to another cell, or has moved: its sequence is frozen. */
export function isAccountFrozen(error: unknown): boolean {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (Reflect.get(current, 'constraint') === 'account_sequence_frozen') return true;
  }
  return false;
}

/** True if the server cannot write to its disk. */
export function isStorageExhausted(error: unknown): boolean {
  return ['53100', '53400', '58030'].includes(databaseErrorCode(error) ?? '');
}

export function isStatementTimeout(error: unknown): boolean {
  return databaseErrorCode(error) === '57014';
}

export class WriteConflict extends Error {
  readonly code = '40001';
}

/**
 * True if a migration changed the result columns of a prepared statement. Only new connections can run it. The message
 * is localised, `routine` is not.
 */
export function isPlanOutdated(error: unknown): boolean {
  return error instanceof Error && Reflect.get(error, 'routine') === 'RevalidateCachedQuery';
}

/** Deadlock, serialization failure or outdated plan: a retry may succeed. */
export function isTransactionConflict(error: unknown): boolean {
  const code = databaseErrorCode(error);
  return code === '40P01' || code === '40001' || isPlanOutdated(error);
}

interface Retries {
  readonly attempts: number;
  readonly pauseMs: (attempt: number) => number;
}

const statementRetries: Retries = { attempts: 5, pauseMs: () => 0 };
export const workRetries: Retries = {
  attempts: 12,
  pauseMs: (attempt) => Math.min(2 ** attempt, 50) * (0.5 + Math.random()),
};

export async function retryOnConflict<T>(run: () => Promise<T>, retries = statementRetries): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (!isTransactionConflict(error) || attempt === retries.attempts) throw error;
      const ms = retries.pauseMs(attempt);
      if (ms > 0) await sleep(ms);
    }
  }
}
