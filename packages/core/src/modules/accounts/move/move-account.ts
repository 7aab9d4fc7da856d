import { setTimeout as delay } from 'node:timers/promises';
import { databaseErrorCode } from '../../../db/database-error.ts';
import { holdMigrations } from '../../../db/migrate-database.ts';
import { ensurePartitionsOf } from '../../../db/partitions.ts';
import type { Queryable } from '../../../db/queryable.ts';
import { type AccountTable, readAccountTables } from './account-tables.ts';
import { assertHasKeys, assertMayCopyTo, assertNamed, assertSameVersion } from './assert-same-cells.ts';
import {
  type AccountCopy,
  beginCopy,
  type CopiedRows,
  deleteRows,
  endCopy,
  inTransaction,
  updateCopy,
} from './copy-account.ts';
import type { CellConnection } from './copy-rows.ts';
import {
  beginMove,
  countOpen,
  freeze,
  type Move,
  MoveError,
  pauseEndpoints,
  readMove,
  setState,
  thaw,
} from './move-state.ts';
import { BusyError, CONNECT_MS, withCell, withCells } from './with-cells.ts';

export type MoveStep = 'copying' | 'draining' | 'frozen' | 'copied' | 'moved' | 'arrived';

interface AccountMoveOptions {
  accountId: string;
  fromUrl: string;
  toUrl: string;
  /** The target's `CELL`, which callers of this cell get from now on. */
  toCell: string;
  /** User, machine and process, for operators; '' by default. */
  begunBy?: string;
  /** How long the open account may be copied, in ms. */
  copyMs?: number;
  /** How long to wait for requests in flight to endpoints, in ms. */
  drainMs?: number;
  /** How long claims and the keys that processes cache take to notice that the account drains, in ms. */
  noticeMs?: number;
  /** How long the account is closed until the target has the copy, in ms. */
  closedMs?: number;
  /** If it throws, the move stops where it is, as if the program were killed. */
  onStep?: (step: MoveStep, rows?: CopiedRows) => void;
}

/** Until claims that read an active endpoint have ended, and every api has noticed, which caches keys for half a second. */
const NOTICE_MS = 1_500;
const POLL_MS = 200;
/** While rows are copied, their snapshot keeps vacuum from removing old versions of any row of the cell. */
const COPY_MS = 4 * 3_600_000;
const DRAIN_MS = 120_000;
const CLOSED_MS = 120_000;

/** Tables whose rows stay behind: keys and sessions, for a response that names the new cell, and the sealed audit log. */
const staying = ['account', 'account_sequence', 'api_key', 'audit_log', 'session'];

interface Run {
  /** Cuts the connection to the target. */
  signal: AbortSignal;
  /** Sets the time that is left, in ms. */
  endWithin: (ms: number) => void;
  tell: (step: MoveStep, rows?: CopiedRows) => void;
  /** If the move fails, the account has to work here as before: the target can't have opened it. */
  mayReopen: boolean;
}

/**
 * Moves an account to another cell. Each step commits before the next one begins. After an error or a time limit the account
 * works here as before, until the target may have it: then the next run goes on. Throws `MoveError` if the account can't be
 * moved, or not now.
 */
export async function moveAccount(options: AccountMoveOptions): Promise<void> {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let [limitMs, isStopped] = [0, false];
  let last: MoveStep | undefined;
  const run: Run = {
    signal: late.signal,
    endWithin: (ms) => {
      clearTimeout(timer);
      limitMs = ms;
      timer = setTimeout(() => late.abort(), ms).unref();
    },
    tell: (step, rows) => {
      last = step;
      isStopped = true;
      options.onStep?.(step, rows);
      isStopped = false;
    },
    mayReopen: false,
  };
  try {
    await moveWithin(options, run);
  } catch (error) {
    if (isStopped) throw error;
    const limit = `After "${last}", the next step has not come within ${Math.ceil(limitMs / 1000)} s.`;
    const reason: unknown = late.signal.aborted ? new MoveError(limit) : error;
    if (run.mayReopen) throw await reopen(options, reason);
    throw reason instanceof MoveError && last !== undefined ? failedMove(reason, AGAIN) : reason;
  } finally {
    clearTimeout(timer);
  }
}

const AGAIN = 'Run the command again to go on.';

function failedMove(reason: unknown, next: string): MoveError {
  if (reason instanceof MoveError && reason.cause === undefined) return new MoveError(`${reason.message} ${next}`);
  return new MoveError(`The move has failed. ${next} The reason`, { cause: reason });
}

/** The target can only have a copy that is closed, which the next move replaces. */
async function reopen({ accountId, fromUrl }: AccountMoveOptions, reason: unknown): Promise<MoveError> {
  const end = performance.now() + CONNECT_MS;
  for (;;) {
    try {
      return await withCell({ accountId, url: fromUrl, cell: 'this cell' }, async (source) => {
        if ((await readMove(source, accountId))?.state === 'moved') return failedMove(reason, AGAIN);
        await thaw(source, accountId);
        return failedMove(reason, 'The account works here as before.');
      });
    } catch (error) {
      // Until the server has noticed the end of the connection that had the lock.
      if (error instanceof BusyError && performance.now() < end) {
        await delay(POLL_MS);
        continue;
      }
      return failedMove(reason, "The account can't be opened here now. Run the command again, or with --cancel.");
    }
  }
}

/** Copies the account while it is open, and the changes of that time when it is closed. */
function moveWithin(options: AccountMoveOptions, run: Run): Promise<void> {
  const { accountId, toCell, closedMs = CLOSED_MS } = options;
  return withCells({ ...options, signal: run.signal }, async (source, target) => {
    await assertSameVersion(source, target);
    await assertNamed(target, toCell);
    const move = await readMove(source, accountId);
    const arrival = await readMove(target, accountId);
    const isThere = await hasAccount(target, accountId);
    if (!(await hasAccount(source, accountId))) throw new MoveError(`This cell has no account ${accountId}.`);
    assertMovable(toCell, { move, arrival, isThere });
    const hasArrived = isArrivalOf(move, arrival);
    if (move?.state === 'moved' && !hasArrived) {
      run.tell('arrived');
      return;
    }
    if (hasArrived) run.endWithin(closedMs);
    else await copyToArrive({ source, target }, { ...options, move }, run);
    if (move?.state !== 'moved') {
      // From here on its answer may be lost, and what was committed as well, if the source fails over.
      run.mayReopen = false;
      await setState(source, accountId, 'moved');
      run.tell('moved');
    }
    await thaw(target, accountId);
    run.tell('arrived');
  });
}

interface Cells {
  source: CellConnection;
  target: CellConnection;
}

/** Until the account is closed here, and arriving in the target. */
async function copyToArrive(
  { source, target }: Cells,
  options: AccountMoveOptions & { move: Move | undefined },
  run: Run,
): Promise<void> {
  const { accountId, toCell, begunBy = '', copyMs = COPY_MS, closedMs = CLOSED_MS } = options;
  const { drainMs = DRAIN_MS, noticeMs = NOTICE_MS } = options;
  await assertHasKeys(source, target);
  await assertMayCopyTo(target);
  // An interrupted move has no copy, so it begins anew, with an account that works meanwhile.
  if (options.move !== undefined) await thaw(source, accountId);
  run.mayReopen = true;
  await beginMove(source, accountId, toCell, begunBy);
  run.endWithin(copyMs);
  run.tell('copying');
  const first = await begin(source, target, accountId);
  await setState(source, accountId, 'draining');
  run.endWithin(drainMs + closedMs);
  run.tell('draining');
  const copy = await drain(first, { drainMs, noticeMs });
  run.endWithin(closedMs);
  run.tell('frozen');
  const frozen = await readMove(source, accountId);
  if (frozen === undefined) throw new MoveError('Another program has ended the move.');
  run.tell('copied', await endCopy(copy, frozen));
}

/** A copy that another cell has of an account that is closed here. */
const isArrivalOf = (move: Move | undefined, arrival: Move | undefined): boolean =>
  (move?.state === 'frozen' || move?.state === 'moved') &&
  arrival?.state === 'arriving' &&
  arrival.begun_at === move.begun_at;

async function begin(source: CellConnection, target: CellConnection, accountId: string): Promise<AccountCopy> {
  const tables = await readAccountTables(source);
  assertSameTables(tables, await readAccountTables(target));
  await ensurePartitionsOf(target, source);
  return beginCopy(source, target, tables, accountId);
}

function assertSameTables(source: readonly AccountTable[], target: readonly AccountTable[]): void {
  const different = differenceOf(source, target);
  if (different !== undefined) throw new MoveError(`The target has no table ${different}. Nothing was copied.`);
}

/** A table with its columns that `source` has and `target` has not, or not with these columns. */
function differenceOf(source: readonly AccountTable[], target: readonly AccountTable[]): string | undefined {
  const columnsOf = (tables: readonly AccountTable[]) =>
    tables.map(({ name, columns }) => `${name} (${columns.join(', ')})`).toSorted();
  const there = new Set(columnsOf(target));
  return columnsOf(source).find((columns) => !there.has(columns));
}

/** From now on, no migration of the two cells runs before the move has ended. Returns false while one does. */
async function holdSchema({ source, target, tables }: AccountCopy): Promise<boolean> {
  for (const db of [source, target]) if (!(await holdMigrations(db))) return false;
  await assertSameVersion(source, target);
  const now = await readAccountTables(source);
  const changed = differenceOf(now, tables);
  if (changed !== undefined) throw new MoveError(`While rows were copied, a table was changed: ${changed}.`);
  assertSameTables(now, await readAccountTables(target));
  return true;
}

interface Situation {
  move: Move | undefined;
  arrival: Move | undefined;
  /** Whether the target has rows of the account. */
  isThere: boolean;
}

function assertMovable(toCell: string, { move, arrival, isThere }: Situation): void {
  if (move?.state === 'arriving') {
    throw new MoveError('The account is arriving here. Finish that move first, with the same command in its old cell.');
  }
  if (move !== undefined && move.cell !== toCell) {
    throw new MoveError(
      move.state === 'moved'
        ? `The account has moved to the cell ${move.cell} already.`
        : `The account is being moved to the cell ${move.cell}: name that one, or cancel it first.`,
    );
  }
  if (move?.state === 'moved') {
    if (isThere && (arrival?.state !== 'arriving' || isArrivalOf(move, arrival))) return;
    throw new MoveError(
      'The target lacks the account that has moved there, as if its database were restored to an earlier time. Restore a ' +
        'later one: this cell has the account as it was when it moved.',
    );
  }
  // An account that comes back finds what it left. A copy of another try was never open, and is replaced.
  if (arrival?.state === 'moved' || arrival?.state === 'arriving') return;
  if (arrival !== undefined) throw new MoveError('The target cell is moving this account itself.');
  if (isThere) throw new MoveError('The target cell has an account with this id already.');
}

async function hasAccount(db: Queryable, accountId: string): Promise<boolean> {
  return (await db.query('SELECT FROM account WHERE id = $1', [accountId])).length > 0;
}

const DEADLOCK = '40P01';

type DrainTimes = Required<Pick<AccountMoveOptions, 'drainMs' | 'noticeMs'>>;

/**
 * Waits until no worker holds a delivery, while changes go on, and freezes the account with as little left to copy as can be.
 */
async function drain(copy: AccountCopy, { drainMs, noticeMs }: DrainTimes): Promise<AccountCopy> {
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
      // What a change has stored meanwhile is visible now that its sequence is locked.
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

/** Ends a move before the target has the account: it can be changed here again. */
export function cancelMove(options: AccountMoveOptions): Promise<void> {
  const { accountId, toCell } = options;
  return withCells(options, async (source, target) => {
    const move = await readMove(source, accountId);
    if (move?.state === 'moved') {
      throw new MoveError(
        `The account has moved to the cell ${move.cell}. To be sure that it is open there, run the command without --cancel.`,
      );
    }
    if (move === undefined || move.state === 'arriving') {
      throw new MoveError('No move of this account from this cell has begun.');
    }
    if (move.cell !== toCell)
      throw new MoveError(`The account is being moved to the cell ${move.cell}: name that one.`);
    // A copy can be complete once the account is frozen. A database that is not the target's would not show it.
    if (move.state === 'frozen') await assertNamed(target, toCell);
    const arrival = await readMove(target, accountId);
    if (arrival === undefined && (await hasAccount(target, accountId))) {
      throw new MoveError('The account is open in the target cell, so it must not open here as well.');
    }
    if (isArrivalOf(move, arrival)) {
      throw new MoveError(
        'The target has a complete copy of the account, which is still closed: finish the move, with the same command ' +
          'without --cancel.',
      );
    }
    await thaw(source, accountId);
  });
}

/** Deletes what a moved account has left here, in one transaction; returns the number of rows. */
export function deleteMovedAccount({ accountId, fromUrl }: Pick<AccountMoveOptions, 'accountId' | 'fromUrl'>) {
  return withCell({ accountId, url: fromUrl, cell: 'this cell' }, async (source) => {
    const move = await readMove(source, accountId);
    if (move?.state !== 'moved') throw new MoveError('The account has not moved away from this cell.');
    const tables = await readAccountTables(source);
    return inTransaction(source, () => deleteRows(source, tables, accountId, staying));
  });
}
