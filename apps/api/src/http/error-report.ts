import { isDatabaseAway } from '@finhook/core';
import type { Logger } from '@finhook/runtime';
import { ReplayedProblem, toDomainError } from './problem.ts';

export interface ErrorReport {
  readonly failed: (error: unknown, requestId: string) => void;
  /** Background work failed and will be retried. */
  readonly skipped: (error: unknown, message: string) => void;
  readonly served: () => void;
  readonly close: () => void;
}

interface Outage {
  total: number;
  recent: number;
  isServedAgain: boolean;
}

/** Interval between lines, and time without a failure that ends an outage. */
const summaryMs = 10_000;

/** An outage of the database is an error, a count every ten seconds, and its end. Client errors are not logged. */
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
