import { type operations, waitingApproval } from '@finhook/contracts';
import type { SortColumn } from '../../lists/keyset.ts';
import { toTimestamp } from '../../time/clock.ts';
import { type RowOf, record } from '../../verbs/record.ts';
import { listVerb } from '../../verbs/verb.ts';
import { type StoredApprovalActor, toApprovalActor } from '../agent-runtime/approvals/approval-actor.ts';
import { findCompany } from '../companies/read.ts';

export interface WaitingRow extends RowOf<typeof waitingApproval, 'amount_cents', 'requested_by'> {
  requested_by: StoredApprovalActor | null;
}

/** SQL: the deadline as the indexes of pending approvals have it. Row-level security keeps `coalesce` out of indexes. */
export const deadlineSql = "CASE WHEN expires_at IS NULL THEN 'infinity' ELSE expires_at END";

const wires = `SELECT 'wire' AS kind, id, account_id, company_id, NULL AS agent_id, beneficiary ->> 'name' AS title,
  memo AS description, amount_cents, currency, NULL AS risk, requested_by, created_at AS requested_at, expires_at,
  ${deadlineSql} AS deadline FROM bank_approval`;

export const agentRequests = `SELECT 'agent_request' AS kind, id, account_id, company_id, agent_id, title, description,
  NULL::bigint AS amount_cents, NULL AS currency, risk, requested_by, requested_at, expires_at,
  ${deadlineSql} AS deadline FROM agent_approval`;

/** SQL: what waits at the company and time of these parameters. */
export const waitsSql = (account: string, company: string, now: string): string =>
  `account_id = ${account} AND company_id = ${company} AND status = 'pending' AND (${deadlineSql}) > ${now}::timestamptz`;

const sort: readonly SortColumn<WaitingRow>[] = [
  {
    sql: 'deadline',
    cast: 'timestamptz',
    read: ({ expires_at }) => (expires_at === null ? 'infinity' : toTimestamp(expires_at)),
  },
  { sql: 'id', cast: 'text', read: ({ id }) => id },
];

export const listInbox = listVerb<typeof operations.approvals.inbox, WaitingRow, string>({
  table: (waits) => `(${wires} WHERE ${waits} UNION ALL ${agentRequests} WHERE ${waits}) waiting`,
  prefix: 'apr',
  sort,
  times: false,
  async filters(filters, context, input) {
    const company = await findCompany(context, input.company_id);
    const values = [context.accountId, company.id, context.clock.now().toISOString()];
    const [account = '', companyId = '', now = ''] = values.map((value) => filters.bind(value));
    return waitsSql(account, companyId, now);
  },
  map: (row) => toWaiting(row),
});

export function toWaiting(row: WaitingRow) {
  return record(waitingApproval, row, { requested_by: row.requested_by && toApprovalActor(row.requested_by) });
}
