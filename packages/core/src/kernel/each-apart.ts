import { isDatabaseUnavailable } from './database-error.ts';

/**
 * Does `work` for one item after the other, also when it fails for some of them: those who stand behind one that always
 * fails have their turn. Gives up at once when the database is away.
 *
 * @throws AggregateError of all failures, at the end
 */
export async function eachApart<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) {
    try {
      await work(item);
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} of ${items.length} failed.`);
}
