import type { operations } from '@finhook/contracts';
import type { Queryable } from '../../db/queryable.ts';
import { accessibleCompanies, companyAccessSql, filterByCompanyAccess } from '../../kernel/access.ts';
import type { Context } from '../../kernel/context.ts';
import { notFound } from '../../kernel/domain-error.ts';
import { type InputOf, listVerb, type OutputOf } from '../../kernel/verb.ts';
import { findEndpoint } from '../webhooks/read.ts';
import { type ReplayRow, toReplay } from './replay-record.ts';

type GetOp = typeof operations.replays.get;

/** A caller restricted to companies sees the replays of their endpoints. */
const companyOfEndpoint = '(SELECT e.company_id FROM webhook_endpoint e WHERE e.id = replay.endpoint_id)';

/** Throws `not_found` if the caller may not see it. `lock` locks its row for the transaction. */
export async function findReplay(db: Queryable, context: Context, replayId: string, lock = false): Promise<ReplayRow> {
  const [row] = await db.query<ReplayRow>(
    `SELECT * FROM replay
     WHERE id = $1 AND account_id = $2 AND ${companyAccessSql('$3', companyOfEndpoint)}
     ${lock ? 'FOR UPDATE' : ''}`,
    [replayId, context.accountId, accessibleCompanies(context)],
  );
  if (!row) throw notFound('replay');
  return row;
}

export async function getReplay(context: Context, input: InputOf<GetOp>): Promise<OutputOf<GetOp>> {
  return toReplay(await findReplay(context.database, context, input.replay_id));
}

export const listReplays = listVerb<typeof operations.replays.list, ReplayRow>({
  table: 'replay',
  prefix: 'rpl',
  async filters(filters, context, input) {
    if (input.endpoint_id !== undefined) await findEndpoint(context, input.endpoint_id);
    filters.where(context.accountId, 'account_id = ?');
    filterByCompanyAccess(filters, context, companyOfEndpoint);
    filters.whereEqual(input, ['endpoint_id', 'status']);
  },
  map: toReplay,
});
