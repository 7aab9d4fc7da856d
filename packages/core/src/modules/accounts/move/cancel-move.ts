import { hasAccount } from '../account.ts';
import { readAccountTables } from './account-tables.ts';
import { assertNamed } from './assert-same-cells.ts';
import { deleteRows, inTransaction } from './copy-account.ts';
import { isArrivalOf, MoveError, readMove, thaw } from './move-state.ts';
import { withCell, withCells } from './with-cells.ts';

interface AccountMove {
  accountId: string;
  fromUrl: string;
  toUrl: string;
  toCell: string;
}

/** Opens the account here again, unless the target may have it. */
export function cancelMove(options: AccountMove): Promise<void> {
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
    // The target may have a complete copy by now, so it must be the target's database.
    if (move.state === 'frozen') await assertNamed(target, toCell);
    const arrival = await readMove(target, accountId);
    if (arrival === undefined && (await hasAccount({ database: target }, accountId))) {
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

/** Tables whose rows stay: keys and sessions, for responses that name the new cell, and the sealed audit log. */
const keptTables = ['account', 'account_sequence', 'api_key', 'audit_log', 'session'];

/** Deletes the rows that a moved account left here; returns their number. */
export function deleteMovedAccount({ accountId, fromUrl }: Pick<AccountMove, 'accountId' | 'fromUrl'>) {
  return withCell({ accountId, url: fromUrl, cell: 'this cell' }, async (source) => {
    const move = await readMove(source, accountId);
    if (move?.state !== 'moved') throw new MoveError('The account has not moved away from this cell.');
    const tables = await readAccountTables(source);
    return inTransaction(source, () => deleteRows(source, tables, accountId, keptTables));
  });
}
