import type { operations } from '@finhook/contracts';
import { filterByReach, reachesSql, reachOf } from '../../kernel/access.ts';
import type { Context } from '../../kernel/context.ts';
import { notFound } from '../../kernel/domain-error.ts';
import { byId, Filters, readPage } from '../../kernel/keyset.ts';
import type { Queryable } from '../../kernel/queryable.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { findEndpoint } from '../webhooks/read-endpoints.ts';
import { type ReplayRow, toReplay } from './replay-record.ts';

type GetOp = typeof operations.replays.get;
type ListOp = typeof operations.replays.list;

/** A narrowed caller knows the replays of endpoints that are bound to a company it reaches. */
const companyOfEndpoint = '(SELECT e.company_id FROM webhook_endpoint e WHERE e.id = replay.endpoint_id)';

/** The replay, if the caller may know of it; throws `not_found`. With `lock` its row is held for the transaction. */
export async function findReplay(db: Queryable, context: Context, replayId: string, lock = false): Promise<ReplayRow> {
  const [row] = await db.query<ReplayRow>(
    `SELECT * FROM replay
     WHERE id = $1 AND account_id = $2 AND ${reachesSql('$3', companyOfEndpoint)}
     ${lock ? 'FOR UPDATE' : ''}`,
    [replayId, context.accountId, reachOf(context)],
  );
  if (!row) throw notFound('replay');
  return row;
}

/** Reads a replay and how far it is. */
export async function getReplay(context: Context, input: InputOf<GetOp>): Promise<OutputOf<GetOp>> {
  return toReplay(await findReplay(context.database, context, input.replay_id));
}

/** Lists the account's replays, newest first. */
export async function listReplays(context: Context, input: InputOf<ListOp>): Promise<OutputOf<ListOp>> {
  if (input.endpoint_id !== undefined) await findEndpoint(context, input.endpoint_id);
  const filters = new Filters();
  filters.when(context.accountId, 'account_id = ?');
  filterByReach(filters, context, companyOfEndpoint);
  filters.when(input.endpoint_id, 'endpoint_id = ?');
  filters.when(input.status, 'status = ?');
  filters.whenTimes(input);
  return readPage<ReplayRow, OutputOf<ListOp>['data'][number]>({
    query: context.database.query,
    select: '*',
    from: 'replay',
    filters,
    sort: [byId('rpl')],
    page: input,
    toItem: toReplay,
  });
}
