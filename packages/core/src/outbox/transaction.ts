import type { Transaction } from '../db/database.ts';
import { retryOnConflict, workRetries } from '../db/database-error.ts';
import { systemStatement } from '../db/queryable.ts';
import type { Context, Core } from '../verbs/context.ts';
import type { AuditCollector } from './audit.ts';
import type { Collector } from './emit.ts';
import { HandOffs } from './hand-off.ts';
import { storeChanges } from './store-changes.ts';

const advisoryLocks = systemStatement(
  'advisory_locks',
  'SELECT pg_advisory_xact_lock(hashtextextended(l.name, 0)) FROM unnest($1::text[]) AS l (name)',
);

/** SQL, always true: a shared lock on the id in `column`, so that `lock` on it waits for concurrent writes. */
export const sharesLock = (column: string): string =>
  `pg_advisory_xact_lock_shared(hashtextextended(${column}, 0)) IS NOT NULL`;

interface Records {
  'audit and event': Collector;
  audit: AuditCollector;
  nothing: object;
}

/** A transaction whose work can add the audit rows and events that `R` names. */
export type UnitOfWork<R extends keyof Records = 'audit and event'> = Transaction &
  Records[R] & {
    /** Work for the workers, sent after the commit. */
    readonly handOffs: HandOffs;
    readonly emitted: { count: number };
  };

export interface TransactionOptions<R extends keyof Records> {
  /** The work can add only these to the account's audit log and feed. */
  records: R;
  /** Advisory locks on resources, acquired in the given order. */
  lock?: string | readonly string[];
  /** Rolls back after the work. Returns the same output. */
  dryRun?: boolean | undefined;
}

type Caller = Core & Pick<Partial<Context>, 'accountId' | 'idempotency'>;
type Work<T, R extends keyof Records> = (tx: UnitOfWork<R>) => Promise<T>;

/**
 * Runs a verb in one transaction, retries it after conflicts, and passes new deliveries to the workers after the
 * commit. For an Idempotency-Key, the output of `work` is stored before the commit. Audit rows and events are stored
 * last, because that locks the account's sequence for other writers.
 */
export function transaction<T>(
  context: Caller,
  options: TransactionOptions<'audit and event'>,
  work: Work<T, 'audit and event'>,
): Promise<T>;
export function transaction<T>(
  context: Caller,
  options: TransactionOptions<'audit'>,
  work: Work<T, 'audit'>,
): Promise<T>;
export function transaction<T>(
  context: Caller,
  options: TransactionOptions<'nothing'>,
  work: Work<T, 'nothing'>,
): Promise<T>;
export function transaction<T>(
  context: Caller,
  { records, lock = [], dryRun = false }: TransactionOptions<keyof Records>,
  work: Work<T, 'audit and event'>,
): Promise<T> {
  return retryOnConflict(async () => {
    const handOffs = new HandOffs(context);
    const emitted = { count: 0 };
    const pending: Collector['pending'] = { audits: [], events: [] };
    let undone: { output: T } | undefined;
    const run = context.database.transaction(async (tx) => {
      const locks = [lock].flat();
      if (locks.length > 0) await tx.query(advisoryLocks, [locks]);
      const result = await work({ ...tx, handOffs, emitted, pending });
      await tx.em.flush();
      if (dryRun) {
        undone = { output: result };
        throw new Error('A dry run is rolled back.');
      }
      await context.idempotency?.complete(tx, result);
      assertWithin(records, pending);
      await storeChanges(tx, pending, handOffs);
      emitted.count += pending.events.length;
      return result;
    });
    const output = await run.catch((error: unknown) => {
      if (undone) return undone.output;
      throw error;
    });
    if (undone) return output;
    handOffs.send();
    if (emitted.count > 0) context.onEvents?.(emitted.count);
    return output;
  }, workRetries);
}

/** The types prevent this, but not for a collector that was widened on its way. */
function assertWithin(records: keyof Records, { audits, events }: Collector['pending']): void {
  const isBeyond = records === 'nothing' ? audits.length + events.length > 0 : records === 'audit' && events.length > 0;
  if (isBeyond) throw new Error(`The transaction has changes beyond its records: ${records}.`);
}
