import { setTimeout as delay } from 'node:timers/promises';
import { databaseErrorCode } from '../../../db/database-error.ts';
import { holdMigrations } from '../../../db/migrate-database.ts';
import type { Queryable } from '../../../db/queryable.ts';
import { readAccountTables } from './account-tables.ts';
import { assertSameTables, assertSameVersion, findMissingTable } from './assert-same-cells.ts';
import { type AccountCopy, inTransaction, updateCopy } from './copy-account.ts';
import { countOpen, freeze, MoveError, pauseEndpoints, setState } from './move-state.ts';

export const POLL_MS = 200;
const DEADLOCK = '40P01';

interface DrainTimes {
  /** Limit for requests in flight to endpoints, in ms. */
  drainMs: number;
  /** Time until claims and cached keys notice that the account drains, in ms. */
  noticeMs: number;
}

/** Waits until no delivery is in flight, while changes go on, then copies these and freezes the account. */
export async function drain(copy: AccountCopy, { drainMs, noticeMs }: DrainTimes): Promise<AccountCopy> {
  const { accountId, source } = copy;
  let current = copy;
  const begunAt = performance.now();
  for (;;) {
    await pauseEndpoints(source, accountId);
    await delay(begunAt + noticeMs > performance.now() ? noticeMs : POLL_MS);
    const isQuiet = (await countOpen(source, accountId)) === 0;
    const isMigrating = isQuiet && !(await holdSchema(current));
    if (isQuiet && !isMigrating) {
      current = await updateCopy(current);
      if (await tryFreeze(source, accountId)) return current;
    }
    if (performance.now() - begunAt > drainMs) {
      const reason = isMigrating
        ? 'One of the cells is still running migrations'
        : 'Deliveries of the account are still in flight';
      throw new MoveError(`${reason} after ${Math.ceil(drainMs / 1000)} s. Run the command again later.`);
    }
  }
}

class StillOpen extends Error {}

async function tryFreeze(source: Queryable, accountId: string): Promise<boolean> {
  try {
    await inTransaction(source, async () => {
      await freeze(source, accountId);
      // The sequence is locked now, so the last change is visible.
      if ((await countOpen(source, accountId)) > 0) throw new StillOpen();
      await setState(source, accountId, 'frozen');
    });
    return true;
  } catch (error) {
    if (!(error instanceof StillOpen) && databaseErrorCode(error) !== DEADLOCK) throw error;
    await source.query('ROLLBACK');
    return false;
  }
}

/** Keeps both cells from migrating until the move ends. Returns false while a migration runs. */
async function holdSchema({ source, target, tables }: AccountCopy): Promise<boolean> {
  for (const db of [source, target]) if (!(await holdMigrations(db))) return false;
  await assertSameVersion(source, target);
  const now = await readAccountTables(source);
  const changed = findMissingTable(now, tables);
  if (changed !== undefined) throw new MoveError(`While rows were copied, a table was changed: ${changed}.`);
  assertSameTables(now, await readAccountTables(target));
  return true;
}
