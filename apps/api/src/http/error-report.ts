import { isDatabaseAway } from '@finhook/core';
import type { Logger } from '@finhook/runtime';
import { ReplayedProblem, toDomainError } from './problem.ts';

/** Logs the failures of an api process. Requests that fail in an outage of the database are counted, not logged singly. */
export interface ErrorReport {
  /** A request failed. What its caller is to blame for, and a move of its account, are not logged. */
  readonly failed: (error: unknown, requestId: string) => void;
  /** The api could not do `message`'s work by itself; it tries again. */
  readonly skipped: (error: unknown, message: string) => void;
  /** A request was served for which the database was read. */
  readonly served: () => void;
  readonly close: () => void;
}

interface Outage {
  /** Requests that failed since it began, and since the last line. */
  total: number;
  recent: number;
  isServedAgain: boolean;
}

/** Between two lines of an outage that goes on, and from its last failure to its end. */
const summaryMs = 10_000;

/**
 * Logs the first failure of an outage of the database with its error, then every ten seconds how many requests failed, and
 * its end once: when a request was served and none failed for as long. Other failures are logged one by one.
 */
export function createErrorReport(logger: Logger, everyMs = summaryMs): ErrorReport {
  let outage: Outage | undefined;
  let timer: NodeJS.Timeout | undefined;

  const summarise = (current: Outage): void => {
    const { total, recent, isServedAgain } = current;
    if (recent > 0) logger.error({ failed_requests: recent }, 'the database is still away');
    else if (isServedAgain) {
      clearInterval(timer);
      outage = undefined;
      logger.info({ failed_requests: total }, 'the database is back');
    }
    current.recent = 0;
  };
  const begin = (fields: Readonly<Record<string, unknown>>): Outage => {
    const begun = { total: 0, recent: 0, isServedAgain: false };
    logger.error(fields, 'the database is away: requests fail');
    timer = setInterval(() => summarise(begun), everyMs).unref();
    return begun;
  };

  return {
    failed: (error, requestId) => {
      if (error instanceof ReplayedProblem) return;
      const domainError = toDomainError(error);
      if (domainError.status < 500 || domainError.code === 'account_moving') return;
      const fields = { request_id: requestId, err: domainError.cause ?? error };
      if (!isDatabaseAway(fields.err)) return logger.error(fields, domainError.code);
      outage ??= begin(fields);
      outage.total += 1;
      outage.recent += 1;
      outage.isServedAgain = false;
    },
    skipped: (error, message) => {
      if (!isDatabaseAway(error)) return logger.warn({ err: error }, message);
      outage ??= begin({ err: error });
      logger.debug({ err: error }, message);
    },
    served: () => {
      if (outage !== undefined) outage.isServedAgain = true;
    },
    close: () => clearInterval(timer),
  };
}
