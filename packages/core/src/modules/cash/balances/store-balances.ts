import type { CashBalance } from '@finhook/contracts';
import { type Queryable, statement } from '../../../db/queryable.ts';
import { auditValues } from '../../../kernel/audit.ts';
import type { Context } from '../../../kernel/context.ts';
import { emitCtes, newDeliveriesSql, type PreparedEvent } from '../../../kernel/emit.ts';
import type { HandOffs, NewDelivery } from '../../../kernel/hand-off.ts';
import { eventAuditColumns, eventAuditValues, eventRows, insertAuditRows } from '../../../kernel/record-change.ts';
import { takePositions } from '../../../kernel/sequence-sql.ts';
import { sharesLock } from '../../../kernel/transaction.ts';

// Key-share locks protect the companies from dissolution and registered connections from their end. `version` makes
// each write conditional on the version that was read, so the event stored with it is right and the feed has the order
// of the values. Rows are written in key order: overlapping statements cannot deadlock.
const store = statement(
  'store_balances',
  `WITH r AS MATERIALIZED (
     SELECT * FROM json_to_recordset($2) AS r (id text, company_id text, connection_id text, as_of date,
       balance_cents bigint, currency text, source text, version int, created_at timestamptz, updated_at timestamptz,
       traceparent text,
       ${eventAuditColumns})
   ),
   c AS MATERIALIZED (
     SELECT id FROM company WHERE id = ANY (ARRAY(SELECT company_id FROM r)) AND account_id = $1 AND status <> 'dissolved'
     FOR KEY SHARE
   ),
   k AS MATERIALIZED (
     SELECT id, company_id FROM bank_connection
     WHERE company_id = ANY (ARRAY(SELECT company_id FROM r))
       AND id = ANY (ARRAY(SELECT connection_id FROM r WHERE starts_with(connection_id, 'conn_')))
       AND status <> 'disconnected' AND ${sharesLock('id')}
     FOR KEY SHARE
   ),
   stored AS (
     INSERT INTO cash_balance AS b
       (id, account_id, company_id, connection_id, as_of, balance_cents, currency, source, version, created_at, updated_at)
     SELECT r.id, $1, r.company_id, r.connection_id, r.as_of, r.balance_cents, r.currency, r.source, r.version + 1,
            r.created_at, r.updated_at
     FROM r
     WHERE r.company_id IN (SELECT id FROM c)
       AND (NOT starts_with(r.connection_id, 'conn_') OR (r.connection_id, r.company_id) IN (SELECT id, company_id FROM k))
     ORDER BY r.company_id, r.connection_id, r.as_of
     ON CONFLICT (company_id, connection_id, as_of) DO UPDATE
       SET balance_cents = excluded.balance_cents, currency = excluded.currency, source = excluded.source,
           version = excluded.version, updated_at = excluded.updated_at
       WHERE b.version = excluded.version - 1
     RETURNING id
   ),
   written AS MATERIALIZED (SELECT r.* FROM r JOIN stored ON stored.id = r.id),
   ${takePositions('SELECT e1, count(*), count(*) FROM written GROUP BY e1')},
   au AS (${insertAuditRows('written')}),
   ${emitCtes({ source: eventRows('written', ', traceparent'), traced: true, leaseMs: '$3::int' })}
   SELECT ARRAY(SELECT id FROM stored) AS ids,
     (SELECT coalesce(json_agg(d), '[]') FROM (${newDeliveriesSql}) d) AS deliveries`,
);

export interface BalanceWrite {
  context: Context;
  record: CashBalance;
  event: PreparedEvent;
  result: string;
  /** The version that was read; 0 without a row. */
  version: number;
}

/**
 * Writes balances of one account, each with its audit row, event and deliveries, in one statement. Returns the ids of
 * those whose rows were still as read; writes nothing for the others.
 */
export async function storeBalances(
  db: Queryable,
  handOffs: HandOffs,
  { accountId, queue }: Context,
  writes: readonly BalanceWrite[],
): Promise<ReadonlySet<string>> {
  const rows = writes.map((write) => ({
    ...write.record,
    connection_id: write.record.connection_id ?? '',
    version: write.version,
    traceparent: write.context.database.traceparent,
    ...eventAuditValues(auditValues(write.context, auditEntry(write)), write.event),
  }));
  const values = [accountId, JSON.stringify(rows), queue.leaseMs()];
  const [row] = await db.query<{ ids: string[]; deliveries: NewDelivery[] }>(store, values);
  const events = writes.map(({ event, context }) => ({ ...event, traceparent: context.database.traceparent }));
  handOffs.add(row?.deliveries ?? [], events);
  return new Set(row?.ids);
}

function auditEntry({ record, result }: BalanceWrite) {
  return {
    action: 'cash.balances.upsert',
    companyId: record.company_id,
    resourceId: record.id,
    after: { as_of: record.as_of, balance_cents: record.balance_cents, currency: record.currency, result },
  };
}
