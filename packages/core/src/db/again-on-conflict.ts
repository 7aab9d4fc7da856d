import { setTimeout as sleep } from 'node:timers/promises';
import { isTransactionConflict } from './database-error.ts';

interface Retries {
  readonly attempts: number;
  readonly pauseMs: (attempt: number) => number;
}

const statementRetries: Retries = { attempts: 5, pauseMs: () => 0 };
/** Of transactions that do more than one statement. */
export const workRetries: Retries = {
  attempts: 12,
  pauseMs: (attempt) => Math.min(2 ** attempt, 50) * (0.5 + Math.random()),
};

/** Runs a transaction, and retries it after a deadlock. */
export async function againOnConflict<T>(run: () => Promise<T>, retries = statementRetries): Promise<T> {
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
