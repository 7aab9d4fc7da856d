import { moveSettings } from '../../../db/connection-settings.ts';
import { asOwner } from '../../../db/migrate-database.ts';
import { assertOwnedPrimary, type CellOfMove } from './assert-same-cells.ts';
import type { CellConnection } from './copy-rows.ts';
import { MoveError } from './move-state.ts';
import { lockMove, type MoveStatus, readMoveStatus, readRunning } from './read-moves.ts';

export const CONNECT_MS = 10_000;

export class BusyError extends MoveError {}

interface Limited {
  accountId: string;
  signal?: AbortSignal;
}

interface CellDatabase extends Limited {
  url: string;
  cell: CellOfMove;
}

// Firewalls drop idle connections, such as the source's while the target sorts its rows.
const connectionTo = (connectionString: string) => ({
  connectionString,
  options: moveSettings,
  connectionTimeoutMillis: CONNECT_MS,
  keepAlive: true,
});

/** Holds the lock of the account's move until the connection closes. */
export async function withCell<T>(
  { accountId, url, cell, signal }: CellDatabase,
  work: (connection: CellConnection) => Promise<T>,
): Promise<T> {
  let isOpen = false;
  return asOwner({ ...connectionTo(url), ...(signal && { signal }) }, async (owner, client) => {
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

export function withCells<T>(
  { accountId, fromUrl, toUrl, signal }: Limited & { fromUrl: string; toUrl: string },
  work: (source: CellConnection, target: CellConnection) => Promise<T>,
): Promise<T> {
  return withCell({ accountId, url: fromUrl, cell: 'this cell' }, (source) =>
    withCell({ accountId, url: toUrl, cell: 'the target cell', ...(signal && { signal }) }, (target) =>
      work(source, target),
    ),
  );
}

export function readMoveStatusOfSource({
  accountId,
  fromUrl,
}: {
  accountId: string;
  fromUrl: string;
}): Promise<MoveStatus> {
  return asOwner(connectionTo(fromUrl), (owner) => readMoveStatus(owner, accountId)).catch((error: unknown) => {
    throw new MoveError("The database of this cell can't be used", { cause: error });
  });
}
