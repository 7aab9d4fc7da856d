import type { operations } from '@finhook/contracts';
import { assertAccessible } from '../../../kernel/access.ts';
import type { Context } from '../../../kernel/context.ts';
import { type InputOf, listVerb, type OutputOf } from '../../../kernel/verb.ts';
import { findConnection } from './find-connection.ts';
import { type SyncRow, toSyncRun } from './sync-record.ts';

type GetOp = typeof operations.bank.syncs.get;

export async function getSync(context: Context, input: InputOf<GetOp>): Promise<OutputOf<GetOp>> {
  const [row] = await context.database.query<SyncRow>('SELECT * FROM sync_run WHERE id = $1 AND account_id = $2', [
    input.sync_id,
    context.accountId,
  ]);
  return toSyncRun(assertAccessible(context, row, 'sync run'));
}

export const listSyncs = listVerb<typeof operations.bank.syncs.list, SyncRow>({
  table: 'sync_run',
  prefix: 'syn',
  async filters(filters, context, input) {
    const connection = await findConnection(context.database, context, input.connection_id);
    filters.where(connection.id, 'connection_id = ?');
    filters.whereEqual(input, ['status']);
  },
  map: toSyncRun,
});
