import { setTimeout as sleep } from 'node:timers/promises';
import type { Context, Core } from './context.ts';
import type { Transaction } from './database.ts';
import { isTransactionConflict } from './database-error.ts';
import { statement } from './queryable.ts';

const advisoryLock = statement('advisory_lock', 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))');

/**
 * SQL, true, that waits for the transaction whose `lock` is the id in `column` and keeps others with that lock waiting,
 * but not each other. It gives the waiting one no transaction id, as a row lock may: who ends a record comes after
 * everything that was under way, in the feed too.
 */
export const sharesLock = (column: string): string =>
  `pg_advisory_xact_lock_shared(hashtextextended(${column}, 0)) IS NOT NULL`;

/** A transaction of the domain: after it commits, the endpoints that got something due are woken. */
export interface UnitOfWork extends Transaction {
  /** Endpoints to wake when this transaction has committed. */
  readonly endpointsToWake: Set<string>;
  /** Events stored so far. */
  readonly emitted: { count: number };
}

export interface TransactionOptions {
  /**
   * Serialises the transactions that name the same resource. It is taken before the transaction gets its id, so that
   * the order of the feed is the order in which they held the lock. Several are taken in their order.
   */
  lock?: string | readonly string[];
}

/** How often what lost a deadlock is run, and how long it waits before the next time, in ms. */
interface Retries {
  readonly attempts: number;
  readonly pauseMs: (attempt: number) => number;
}

const statementRetries: Retries = { attempts: 5, pauseMs: () => 0 };
const workRetries: Retries = {
  attempts: 12,
  pauseMs: (attempt) => Math.min(2 ** attempt, 50) * (0.5 + Math.random()),
};

/** Runs what is one transaction by itself, again when it lost a deadlock. */
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

type Caller = Core & Pick<Partial<Context>, 'idempotency'>;
type DoWork<T> = (tx: UnitOfWork) => Promise<T>;

/**
 * Runs a verb's work in one transaction, again when it lost a deadlock, and wakes endpoints after the commit. The
 * value that `work` returns is the operation's output: with an Idempotency-Key it is stored before the commit.
 */
export function transaction<T>(context: Caller, work: DoWork<T>): Promise<T>;
export function transaction<T>(context: Caller, options: TransactionOptions, work: DoWork<T>): Promise<T>;
export function transaction<T>(
  context: Caller,
  ...given: [work: DoWork<T>] | [options: TransactionOptions, work: DoWork<T>]
): Promise<T> {
  const [{ lock }, work] = given.length === 1 ? [{}, ...given] : given;
  return againOnConflict(async () => {
    const endpointsToWake = new Set<string>();
    const emitted = { count: 0 };
    const output = await context.database.transaction(async (tx) => {
      for (const name of lock === undefined ? [] : [lock].flat()) await tx.query(advisoryLock, [name]);
      const result = await work({ ...tx, endpointsToWake, emitted });
      await tx.em.flush();
      await context.idempotency?.complete(tx, result);
      return result;
    });
    if (endpointsToWake.size > 0) context.wake([...endpointsToWake]);
    if (emitted.count > 0) context.onEvents?.(emitted.count);
    return output;
  }, workRetries);
}
