import { type Activity, operations } from '@finhook/contracts';
import { filterByReach, reachesCompany, readsInternal } from '../../kernel/access.ts';
import { toTimestamp } from '../../kernel/clock.ts';
import type { Context } from '../../kernel/context.ts';
import { byId, Filters, readPage } from '../../kernel/keyset.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { deliverySummary } from '../deliveries/delivery-summary.ts';
import { shownUrl } from '../webhooks/read-endpoints.ts';

type Op = typeof operations.activity.list;

type ActivityRow = Omit<Activity, 'object' | 'created_at'> & { created_at: string };

// The events of a row are those of its transaction, which the feed's index finds; where one stored many rows, each names
// its own.
const ofRow = 'e.account_id = a.account_id AND e.feed_xid = a.xid AND (a.event_id IS NULL OR e.id = a.event_id)';
const select = `a.id, a.account_id, a.created_at, a.actor, a.action, a.resource_id, a.company_id, a.request_id, a.ip,
  a.before, a.after,
  (SELECT coalesce(json_agg(json_build_object('id', e.id, 'type', e.type, 'deliveries', ${deliverySummary('e.id')})
     ORDER BY e.id), '[]')
   FROM event e WHERE ${ofRow} AND NOT e.test) AS events`;

// Most rows are these. What they emit and change is known: whoever looks for something else has indexes without them.
const NOT_INGEST = "a.action <> 'cash.balances.upsert' AND a.action <> 'bank.transactions.ingest'";
const emittedByIngest: ReadonlySet<string> = new Set([
  ...operations.cash.balances.upsert.emits,
  ...operations.bank.transactions.ingest.emits,
]);

const INTERNAL = "a.after ->> 'visibility' = 'internal'";

/** Lists what was done in the account, newest first, each row with its events and how their deliveries went. */
export async function listActivity(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  const filters = new Filters();
  filters.where(context.accountId, 'a.account_id = ?');
  filterByReach(filters, context, 'a.company_id');
  if (!readsInternal(context)) filters.add(`(a.action = 'cases.comments.create' AND ${INTERNAL}) IS NOT TRUE`);
  filters.where(input.company_id, 'a.company_id = ?');
  filters.where(input.actor_id, 'a.actor_id = ?');
  filters.where(input.actor_type, 'a.actor_type = ?');
  filters.where(input.action, 'a.action = ?');
  filters.where(input.resource_id, 'a.resource_id = ?');
  // OFFSET 0 keeps the look-up a look-up by row: as a join it would begin with all events of the type.
  filters.where(
    input.type,
    `EXISTS (SELECT FROM event e
       WHERE ${ofRow} AND e.type = ? AND NOT e.test OFFSET 0)`,
  );
  const isRareType = input.type !== undefined && !emittedByIngest.has(input.type);
  const isRareRecord = input.resource_id !== undefined && !/^(bal|ing)_/.test(input.resource_id);
  if (isRareType || isRareRecord) filters.add(NOT_INGEST);
  filters.whereIdTimes('aud', input, 'a.');
  return readPage<ActivityRow, OutputOf<Op>['data'][number]>({
    query: context.database.query,
    select,
    from: 'audit_log a',
    filters,
    bytes: 'coalesce(octet_length(a.before::text), 0) + coalesce(octet_length(a.after::text), 0)',
    sort: [byId('aud', 'a.id')],
    page: input,
    toItem: (row) => ({
      ...row,
      object: 'activity',
      created_at: toTimestamp(row.created_at),
      before: shownRecord(context, toldBefore(context, row.before)),
      after: shownRecord(context, row.after),
    }),
  });
}

/** A record as it was stored, without what a URL lets its reader do. */
function shownRecord(context: Context, record: unknown): unknown {
  if (!isEndpoint(record)) return record;
  return { ...record, url: shownUrl(context, record.url) };
}

function isEndpoint(record: unknown): record is { url: string } {
  if (typeof record !== 'object' || record === null || !('object' in record) || !('url' in record)) return false;
  return record.object === 'webhook_endpoint' && typeof record.url === 'string';
}

/** What a record was, unless it was then of a company that the caller does not reach. */
function toldBefore(context: Context, before: unknown): unknown {
  const isWhole = context.access.companyIds === undefined;
  if (isWhole || typeof before !== 'object' || before === null || !('company_id' in before)) return before;
  const { company_id: companyId } = before;
  return typeof companyId === 'string' && reachesCompany(context, companyId) ? before : null;
}
