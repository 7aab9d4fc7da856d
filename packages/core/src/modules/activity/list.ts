import { activity, operations } from '@finhook/contracts';
import { filterByCompanyAccess, hasCompanyAccess, readsInternal } from '../../access/access.ts';
import { byId } from '../../lists/keyset.ts';
import type { Context } from '../../verbs/context.ts';
import { type RowOf, record } from '../../verbs/record.ts';
import { listVerb } from '../../verbs/verb.ts';
import { deliverySummary } from '../deliveries/delivery-record.ts';
import { shownUrl } from '../webhooks/read.ts';

const ofRow = 'e.id = ANY (a.event_ids) AND e.account_id = a.account_id';
const select = `a.id, a.account_id, a.created_at, a.actor, a.action, a.resource_id, a.company_id, a.request_id, a.ip,
  a.before, a.after,
  (SELECT coalesce(json_agg(json_build_object('id', e.id, 'type', e.type, 'deliveries', ${deliverySummary('e.id')})
     ORDER BY e.id), '[]')
   FROM event e WHERE ${ofRow}) AS events`;

// Most rows are ingests. Other queries use indexes without them.
const NOT_INGEST = "a.action <> 'cash.balances.upsert' AND a.action <> 'bank.transactions.ingest'";
const emittedByIngest: ReadonlySet<string> = new Set([
  ...operations.cash.balances.upsert.emits,
  ...operations.bank.transactions.ingest.emits,
]);

const INTERNAL = "a.after ->> 'visibility' = 'internal'";

export const listActivity = listVerb<typeof operations.activity.list, RowOf<typeof activity>>({
  table: 'audit_log a',
  prefix: 'aud',
  select,
  bytes: 'coalesce(octet_length(a.before::text), 0) + coalesce(octet_length(a.after::text), 0)',
  sort: [byId('aud', 'a.id')],
  times: false,
  filters(filters, context, input) {
    filters.where(context.accountId, 'a.account_id = ?');
    filterByCompanyAccess(filters, context, 'a.company_id');
    if (!readsInternal(context)) filters.add(`(a.action = 'cases.comments.create' AND ${INTERNAL}) IS NOT TRUE`);
    filters.whereEqual(input, ['company_id', 'actor_id', 'actor_type', 'action', 'resource_id'], 'a.');
    // OFFSET 0 keeps this a look-up per row: a join would begin with all events of the type.
    filters.where(input.type, `EXISTS (SELECT FROM event e WHERE ${ofRow} AND e.type = ? OFFSET 0)`);
    const isRareType = input.type !== undefined && !emittedByIngest.has(input.type);
    const isRareRecord = input.resource_id !== undefined && !/^(bal|ing)_/.test(input.resource_id);
    if (isRareType || isRareRecord) filters.add(NOT_INGEST);
    filters.whereIdTimes('aud', input, 'a.');
  },
  map: (row, _, context) =>
    record(activity, row, {
      before: shownRecord(context, accessibleBefore(context, row.before)),
      after: shownRecord(context, row.after),
    }),
});

function shownRecord(context: Context, stored: unknown): unknown {
  if (!isEndpoint(stored)) return stored;
  return { ...stored, url: shownUrl(context, stored.url) };
}

function isEndpoint(stored: unknown): stored is { url: string } {
  if (typeof stored !== 'object' || stored === null || !('object' in stored) || !('url' in stored)) return false;
  return stored.object === 'webhook_endpoint' && typeof stored.url === 'string';
}

/** Null if the record belonged to a company outside the caller's access. */
function accessibleBefore(context: Context, before: unknown): unknown {
  const isWhole = context.access.companyIds === undefined;
  if (isWhole || typeof before !== 'object' || before === null || !('company_id' in before)) return before;
  const { company_id: companyId } = before;
  return typeof companyId === 'string' && hasCompanyAccess(context, companyId) ? before : null;
}
