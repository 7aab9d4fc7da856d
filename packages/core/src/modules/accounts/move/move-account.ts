import { setTimeout as delay } from 'node:timers/promises';
import { moveSettings } from '../../../db/connection-settings.ts';
import { databaseErrorCode } from '../../../db/database-error.ts';
import { asOwner } from '../../../db/migrate-database.ts';
import { ensurePartitionsOf } from '../../../db/partitions.ts';
import type { Queryable } from '../../../db/queryable.ts';
import { type AccountTable, readAccountTables } from './account-tables.ts';
import {
  assertHasKeys,
  assertMayCopyTo,
  assertNamed,
  assertOwnedPrimary,
  assertSameVersion,
  type CellOfMove,
} from './assert-same-cells.ts';
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
import { lockMove, readMoveStatus, readRunning } from './read-moves.ts';

export type MoveStep = 'copying' | 'draining' | 'frozen' | 'copied' | 'moved' | 'arrived';

interface AccountMoveOptions {
  accountId: string;
  fromUrl: string;
  toUrl: string;
  /** The target's `CELL`, which callers of this cell get from now on. */
  toCell: string;
  /** User, machine and process, for operators; '' by default. */
  begunBy?: string;
  /** How long to wait for requests in flight to endpoints, in ms. */
  drainMs?: number;
  /** How long the account is closed until the target has the copy, in ms. Then it opens here again. */
  closedMs?: number;
  onStep?: (step: MoveStep, rows?: CopiedRows) => void;
}

/** Until claims that read an active endpoint have ended, and every api has noticed, which caches keys for half a second. */
const NOTICE_MS = 1_500;
const POLL_MS = 200;
const DRAIN_MS = 120_000;
const CLOSED_MS = 120_000;
const CONNECT_MS = 10_000;

/** Tables whose rows stay behind: keys and sessions, for a response that names the new cell, and the sealed audit log. */
const staying = ['account', 'account_sequence', 'api_key', 'audit_log', 'session'];

/**
 * Moves an account to another cell. Each step commits before the next one begins, so a move that was interrupted goes on where
 * it stopped. Throws `MoveError` if it cannot be moved, or not now.
 */
export async function moveAccount(options: AccountMoveOptions): Promise<void> {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const endWithin = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => late.abort(), ms).unref();
  };
  try {
    await moveWithin(options, late.signal, endWithin);
  } catch (error) {
    if (!late.signal.aborted) throw error;
    throw await reopen(options);
  } finally {
    clearTimeout(timer);
  }
}

/** The target has not taken the account in time. It can only have a copy that is closed, which the next move replaces. */
async function reopen({ accountId, fromUrl, closedMs = CLOSED_MS }: AccountMoveOptions): Promise<MoveError> {
  const late = `The target did not take the account within ${Math.round(closedMs / 1000)} s`;
  const end = performance.now() + CONNECT_MS;
  for (;;) {
    try {
      return await withCell({ url: fromUrl, cell: 'this cell' }, accountId, async (source) => {
        const isOpen = (await readMove(source, accountId))?.state !== 'moved';
        if (isOpen) await thaw(source, accountId);
        return new MoveError(isOpen ? `${late}. It works here as before.` : `${late}. Run the command again to go on.`);
      });
    } catch (error) {
      // Until the server has noticed the end of the connection that had the lock.
      if (!(error instanceof BusyError) || performance.now() > end) throw error;
      await delay(POLL_MS);
    }
  }
}

/**
 * Copies the account while it is open, and the changes of that time when it is closed. Calls `endWithin` with the time that is
 * left, in ms, from when the account is no longer as it was.
 */
function moveWithin(options: AccountMoveOptions, signal: AbortSignal, endWithin: (ms: number) => void): Promise<void> {
  const { accountId, toCell, begunBy = '', drainMs = DRAIN_MS, closedMs = CLOSED_MS, onStep } = options;
  const { fromUrl, toUrl } = options;
  return withCells({ accountId, fromUrl, toUrl, signal }, async (source, target) => {
    await assertSameVersion(source, target);
    await assertNamed(target, toCell);
    let move = await readMove(source, accountId);
    const arrival = await readMove(target, accountId);
    const isThere = await hasAccount(target, accountId);
    if (!(await hasAccount(source, accountId))) throw new MoveError(`This cell has no account ${accountId}.`);
    assertMovable(toCell, { move, arrival, isThere });
    const hasArrived = isArrivalOf(move, arrival);
    if (move?.state === 'moved' && !hasArrived) {
      onStep?.('arrived');
      return;
    }
    if (move !== undefined) endWithin(drainMs + closedMs);
    let copy: AccountCopy | undefined;
    if (!hasArrived) {
      await assertHasKeys(source, target);
      await assertMayCopyTo(target);
      onStep?.('copying');
      copy = await begin(source, target, accountId);
    }
    if (move === undefined) await beginMove(source, accountId, toCell, begunBy);
    if (copy !== undefined && move?.state !== 'frozen') {
      endWithin(drainMs + closedMs);
      onStep?.('draining');
      copy = await drain(copy, drainMs);
      onStep?.('frozen');
      move = await readMove(source, accountId);
    }
    endWithin(closedMs);
    if (move?.state === 'frozen') {
      if (copy !== undefined) {
        const rows = await endCopy(copy, move);
        onStep?.('copied', rows);
      }
      if (!isArrivalOf(move, await readMove(target, accountId)))
        throw new MoveError('The target has lost the copy. Run the command again.');
      await setState(source, accountId, 'moved');
      onStep?.('moved');
    }
    await thaw(target, accountId);
    onStep?.('arrived');
  });
}

const isArrivalOf = (move: Move | undefined, arrival: Move | undefined): boolean =>
  arrival?.state === 'arriving' && arrival.begun_at === move?.begun_at;

async function begin(source: CellConnection, target: CellConnection, accountId: string): Promise<AccountCopy> {
  const tables = await readAccountTables(source);
  assertSameTables(tables, await readAccountTables(target));
  await ensurePartitionsOf(target, source);
  return beginCopy(source, target, tables, accountId);
}

function assertSameTables(source: readonly AccountTable[], target: readonly AccountTable[]): void {
  const columnsOf = (tables: readonly AccountTable[]) =>
    tables.map(({ name, columns }) => `${name} (${columns.join(', ')})`).toSorted();
  const there = new Set(columnsOf(target));
  const different = columnsOf(source).find((columns) => !there.has(columns));
  if (different !== undefined) throw new MoveError(`The target has no table ${different}. Nothing was copied.`);
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

/**
 * Waits until no worker holds a delivery, while changes go on, and freezes the account with as little left to copy as can be.
 * If that takes too long, the account sends again.
 */
async function drain(copy: AccountCopy, drainMs: number): Promise<AccountCopy> {
  const { accountId, source } = copy;
  let current = copy;
  const begunAt = performance.now();
  for (;;) {
    await pauseEndpoints(source, accountId);
    await delay(begunAt + NOTICE_MS > performance.now() ? NOTICE_MS : POLL_MS);
    if ((await countOpen(source, accountId)) === 0) {
      current = await updateCopy(current);
      if (await tryFreeze(source, accountId)) return current;
    }
    if (performance.now() - begunAt > drainMs) {
      await thaw(source, accountId);
      throw new MoveError(
        `Deliveries of the account are still in flight after ${Math.round(drainMs / 1000)} s. It works as before: run the ` +
          'command again later.',
      );
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
    if (move?.state !== 'draining' && move?.state !== 'frozen') {
      throw new MoveError('No move of this account from this cell has begun.');
    }
    if (move.cell !== toCell)
      throw new MoveError(`The account is being moved to the cell ${move.cell}: name that one.`);
    // Nothing is copied before it is frozen. A database that is not the target's would not have the copy.
    if (move.state === 'frozen') await assertNamed(target, toCell);
    const arrival = await readMove(target, accountId);
    if (arrival === undefined && (await hasAccount(target, accountId))) {
      throw new MoveError('The account is open in the target cell, so it must not open here as well.');
    }
    if (isArrivalOf(move, arrival)) {
      throw new MoveError(
        'The target has the account already: finish the move, with the same command without --cancel.',
      );
    }
    await thaw(source, accountId);
  });
}

/** Deletes what a moved account has left here, in one transaction; returns the number of rows. */
export function deleteMovedAccount({ accountId, fromUrl }: Pick<AccountMoveOptions, 'accountId' | 'fromUrl'>) {
  return withCell({ url: fromUrl, cell: 'this cell' }, accountId, async (source) => {
    const move = await readMove(source, accountId);
    if (move?.state !== 'moved') throw new MoveError('The account has not moved away from this cell.');
    const tables = await readAccountTables(source);
    return inTransaction(source, () => deleteRows(source, tables, accountId, staying));
  });
}

/** The move of an account from or to this cell, and the program that is running. */
export function readMoveStatusAt({ accountId, fromUrl }: Pick<AccountMoveOptions, 'accountId' | 'fromUrl'>) {
  const connection = { connectionString: fromUrl, options: moveSettings, connectionTimeoutMillis: CONNECT_MS };
  return asOwner(connection, (owner) => readMoveStatus(owner, accountId)).catch((error: unknown) => {
    throw new MoveError("The database of this cell can't be used", { cause: error });
  });
}

function withCells<T>(
  { accountId, fromUrl, toUrl, signal }: Pick<AccountMoveOptions, 'accountId' | 'fromUrl' | 'toUrl'> & Limited,
  work: (source: CellConnection, target: CellConnection) => Promise<T>,
): Promise<T> {
  return withCell({ url: fromUrl, cell: 'this cell' }, accountId, (source) =>
    withCell({ url: toUrl, cell: 'the target cell', ...(signal && { signal }) }, accountId, (target) =>
      work(source, target),
    ),
  );
}

interface Limited {
  /** Cuts the connection to the target. */
  signal?: AbortSignal;
}

/** Another program moves the account. */
class BusyError extends MoveError {}

interface CellDatabase extends Limited {
  url: string;
  cell: CellOfMove;
}

/** One move of an account at a time: the lock ends with the connection. */
async function withCell<T>(
  { url, cell, ...limits }: CellDatabase,
  accountId: string,
  work: (connection: CellConnection) => Promise<T>,
): Promise<T> {
  let isOpen = false;
  const connection = { connectionString: url, options: moveSettings, connectionTimeoutMillis: CONNECT_MS, ...limits };
  return asOwner(connection, async (owner, client) => {
    isOpen = true;
    await assertOwnedPrimary(owner, cell);
    if (!(await lockMove(owner, accountId))) {
      throw new BusyError(
        `Another account:move of this account has been running since ${await readRunning(owner, accountId)}, or both ` +
          'URLs name the same database.',
      );
    }
    return work({ ...owner, client });
  }).catch((error: unknown) => {
    throw isOpen ? error : new MoveError(`The database of ${cell} can't be used`, { cause: error });
  });
}
