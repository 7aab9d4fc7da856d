import { setTimeout as delay } from 'node:timers/promises';
import { ensurePartitionsOf } from '../../../db/partitions.ts';
import { hasAccount } from '../account.ts';
import { readAccountTables } from './account-tables.ts';
import {
  assertHasKeys,
  assertMayCopyTo,
  assertNamed,
  assertSameTables,
  assertSameVersion,
} from './assert-same-cells.ts';
import { type AccountCopy, beginCopy, type CopiedRows, endCopy } from './copy-account.ts';
import type { CellConnection, Cells } from './copy-rows.ts';
import { drain, POLL_MS } from './drain-account.ts';
import { assertMovable, beginMove, isArrivalOf, type Move, MoveError, readMove, setState, thaw } from './move-state.ts';
import { BusyError, CONNECT_MS, withCell, withCells } from './with-cells.ts';

export type MoveStep = 'copying' | 'draining' | 'frozen' | 'copied' | 'moved' | 'arrived';

interface AccountMoveOptions {
  accountId: string;
  fromUrl: string;
  toUrl: string;
  /** The target's `CELL`. The source names it to callers after the move. */
  toCell: string;
  /** User, machine and process, for operators; '' by default. */
  begunBy?: string;
  /** Limit for the copy of the open account, in ms. */
  copyMs?: number;
  /** See `drain`. */
  drainMs?: number;
  noticeMs?: number;
  /** Limit for the time in which the account is closed, in ms. */
  closedMs?: number;
  /** If it throws, the move stops as if the program were killed. */
  onStep?: (step: MoveStep, rows?: CopiedRows) => void;
}

/** Claims that read an active endpoint have ended by then, and every api has noticed: it caches keys for half a second. */
const NOTICE_MS = 1_500;
/** The snapshot of the copy keeps vacuum from removing old versions of any row of the cell. */
const COPY_MS = 4 * 3_600_000;
const DRAIN_MS = 120_000;
const CLOSED_MS = 120_000;

interface Run {
  /** Closes the connection to the target. */
  signal: AbortSignal;
  /** Sets the remaining time, in ms. */
  endWithin: (ms: number) => void;
  report: (step: MoveStep, rows?: CopiedRows) => void;
  /** True while the target can't have opened the account, so that a failure reopens it here. */
  mayReopen: boolean;
}

/**
 * Moves an account to another cell. Each step commits before the next one begins. After an error or a time limit the
 * account works here as before, unless the target may have it: then the next run continues.
 */
export async function moveAccount(options: AccountMoveOptions): Promise<void> {
  const timeout = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let [limitMs, isReporting] = [0, false];
  let last: MoveStep | undefined;
  const run: Run = {
    signal: timeout.signal,
    endWithin: (ms) => {
      clearTimeout(timer);
      limitMs = ms;
      timer = setTimeout(() => timeout.abort(), ms).unref();
    },
    report: (step, rows) => {
      last = step;
      isReporting = true;
      options.onStep?.(step, rows);
      isReporting = false;
    },
    mayReopen: false,
  };
  try {
    await moveWithin(options, run);
  } catch (error) {
    if (isReporting) throw error;
    const limit = `After "${last}", the next step has not come within ${Math.ceil(limitMs / 1000)} s.`;
    const reason: unknown = timeout.signal.aborted ? new MoveError(limit) : error;
    if (run.mayReopen) throw await reopen(options, reason);
    throw reason instanceof MoveError && last !== undefined ? failedMove(reason, CONTINUE_HINT) : reason;
  } finally {
    clearTimeout(timer);
  }
}

const CONTINUE_HINT = 'Run the command again to go on.';

function failedMove(reason: unknown, next: string): MoveError {
  if (reason instanceof MoveError && reason.cause === undefined) return new MoveError(`${reason.message} ${next}`);
  return new MoveError(`The move has failed. ${next} The reason`, { cause: reason });
}

/** The target can only have a closed copy, which the next move replaces. */
async function reopen({ accountId, fromUrl }: AccountMoveOptions, reason: unknown): Promise<MoveError> {
  const end = performance.now() + CONNECT_MS;
  for (;;) {
    try {
      return await withCell({ accountId, url: fromUrl, cell: 'this cell' }, async (source) => {
        if ((await readMove(source, accountId))?.state === 'moved') return failedMove(reason, CONTINUE_HINT);
        await thaw(source, accountId);
        return failedMove(reason, 'The account works here as before.');
      });
    } catch (error) {
      // The server has not yet noticed the end of the connection that had the lock.
      if (error instanceof BusyError && performance.now() < end) {
        await delay(POLL_MS);
        continue;
      }
      return failedMove(reason, "The account can't be opened here now. Run the command again, or with --cancel.");
    }
  }
}

function moveWithin(options: AccountMoveOptions, run: Run): Promise<void> {
  const { accountId, toCell, closedMs = CLOSED_MS } = options;
  return withCells({ ...options, signal: run.signal }, async (source, target) => {
    await assertSameVersion(source, target);
    await assertNamed(target, toCell);
    const move = await readMove(source, accountId);
    const arrival = await readMove(target, accountId);
    const isThere = await hasAccount({ database: target }, accountId);
    if (!(await hasAccount({ database: source }, accountId)))
      throw new MoveError(`This cell has no account ${accountId}.`);
    assertMovable(toCell, { move, arrival, isThere });
    const hasArrived = isArrivalOf(move, arrival);
    if (move?.state === 'moved' && !hasArrived) {
      run.report('arrived');
      return;
    }
    if (hasArrived) run.endWithin(closedMs);
    else await copyToArrive({ source, target }, { ...options, move }, run);
    if (move?.state !== 'moved') {
      // The response may be lost, and the commit too if the source fails over.
      run.mayReopen = false;
      await setState(source, accountId, 'moved');
      run.report('moved');
    }
    await thaw(target, accountId);
    run.report('arrived');
  });
}

/** Copies the open account, closes it here, and copies the last changes. */
async function copyToArrive(
  { source, target }: Cells,
  options: AccountMoveOptions & { move: Move | undefined },
  run: Run,
): Promise<void> {
  const { accountId, toCell, begunBy = '', copyMs = COPY_MS, closedMs = CLOSED_MS } = options;
  const { drainMs = DRAIN_MS, noticeMs = NOTICE_MS } = options;
  await assertHasKeys(source, target);
  await assertMayCopyTo(target);
  // An interrupted move has no copy, so it starts over with the open account.
  if (options.move !== undefined) await thaw(source, accountId);
  run.mayReopen = true;
  await beginMove(source, accountId, toCell, begunBy);
  run.endWithin(copyMs);
  run.report('copying');
  const first = await copyFirst(source, target, accountId);
  await setState(source, accountId, 'draining');
  run.endWithin(drainMs + closedMs);
  run.report('draining');
  const copy = await drain(first, { drainMs, noticeMs });
  run.endWithin(closedMs);
  run.report('frozen');
  const frozen = await readMove(source, accountId);
  if (frozen === undefined) throw new MoveError('Another program has ended the move.');
  run.report('copied', await endCopy(copy, frozen));
}

async function copyFirst(source: CellConnection, target: CellConnection, accountId: string): Promise<AccountCopy> {
  const tables = await readAccountTables(source);
  assertSameTables(tables, await readAccountTables(target));
  await ensurePartitionsOf(target, source);
  return beginCopy(source, target, tables, accountId);
}
