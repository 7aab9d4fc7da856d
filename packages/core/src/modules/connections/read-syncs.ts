import type { operations } from '@finhook/contracts';
import { reachable } from '../../kernel/access.ts';
import type { Context } from '../../kernel/context.ts';
import { byId, Filters, readPage } from '../../kernel/keyset.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { findConnection } from './find-connection.ts';
import { type SyncRow, toSyncRun } from './sync-record.ts';

type GetOp = typeof operations.bank.syncs.get;
type ListOp = typeof operations.bank.syncs.list;

/** Reads a sync run; while it runs, its stats tell how far it is. */
export async function getSync(context: Context, input: InputOf<GetOp>): Promise<OutputOf<GetOp>> {
  const [row] = await context.database.query<SyncRow>('SELECT * FROM sync_run WHERE id = $1 AND account_id = $2', [
    input.sync_id,
    context.accountId,
  ]);
  return toSyncRun(reachable(context, row, 'sync run'));
}

/** Lists a connection's sync runs, newest first. */
export async function listSyncs(context: Context, input: InputOf<ListOp>): Promise<OutputOf<ListOp>> {
  const connection = await findConnection(context.database, context, input.connection_id);
  const filters = new Filters();
  filters.where(connection.id, 'connection_id = ?');
  filters.where(input.status, 'status = ?');
  filters.whereTimes(input);
  return readPage<SyncRow, OutputOf<ListOp>['data'][number]>({
    query: context.database.query,
    select: '*',
    from: 'sync_run',
    filters,
    sort: [byId('syn')],
    page: input,
    toItem: toSyncRun,
  });
}
