import type { CashBalance } from '@finhook/contracts';
import { auditColumns, auditPlaceholders, auditValues } from '../../kernel/audit.ts';
import { isRegistered } from '../../kernel/connection-id.ts';
import type { Context } from '../../kernel/context.ts';
import { emitCtes, type PreparedEvent } from '../../kernel/emit.ts';
import { type Queryable, statement } from '../../kernel/queryable.ts';

const BALANCE_VALUES = 11;
const EVENT_FIRST = BALANCE_VALUES + auditPlaceholders(1).length + 1;

// Key-share locks the company against dissolution, and a registered connection against its end. `version` makes the
// write conditional on what was read, so the event that is stored with it tells the truth and the feed's order is the
// order of the values.
const storeSql = (gate: { ctes: string; condition: string }): string =>
  `WITH c AS MATERIALIZED (
     SELECT id FROM company WHERE id = $3 AND account_id = $2 AND status <> 'dissolved' FOR KEY SHARE
   ),${gate.ctes}
   stored AS (
     INSERT INTO cash_balance AS b
       (id, account_id, company_id, connection_id, as_of, balance_cents, currency, source, version, created_at, updated_at)
     SELECT $1, $2, c.id, $4, $5::date, $6::bigint, $7, $8, $9::int + 1, $10::timestamptz, $11::timestamptz FROM c${gate.condition}
     ON CONFLICT (company_id, connection_id, as_of) DO UPDATE
       SET balance_cents = excluded.balance_cents, currency = excluded.currency, source = excluded.source,
           version = excluded.version, updated_at = excluded.updated_at
       WHERE b.version = $9::int
     RETURNING id
   ),
   au AS (
     INSERT INTO audit_log (${auditColumns})
     SELECT ${auditPlaceholders(BALANCE_VALUES + 1).join(', ')} FROM stored
   ),
   ${emitCtes(EVENT_FIRST, 'stored')}
   SELECT (SELECT count(*)::int FROM stored) AS stored, ARRAY(SELECT endpoint_id FROM du) AS endpoint_ids`;

const store = statement('store_balance', storeSql({ ctes: '', condition: '' }));
const storeRegistered = statement(
  'store_balance_of_connection',
  storeSql({
    ctes: `
   k AS MATERIALIZED (
     SELECT id FROM bank_connection WHERE id = $4 AND company_id = $3 AND status <> 'disconnected' FOR KEY SHARE
   ),`,
    condition: ' WHERE EXISTS (SELECT FROM k)',
  }),
);

export interface BalanceWrite {
  record: CashBalance;
  event: PreparedEvent;
  result: string;
  /** The version that was read; 0 when there was no row. */
  version: number;
}

/** Writes balance, audit row, event and deliveries in one statement; undefined when what was read no longer holds. */
export async function storeBalance(
  db: Queryable,
  context: Context,
  { record, event, result, version }: BalanceWrite,
): Promise<{ endpointIds: string[] } | undefined> {
  const sql = isRegistered(record.connection_id) ? storeRegistered : store;
  const [row] = await db.query<{ stored: number; endpoint_ids: string[] }>(sql, [
    record.id,
    record.account_id,
    record.company_id,
    record.connection_id ?? '',
    record.as_of,
    record.balance_cents,
    record.currency,
    record.source,
    version,
    record.created_at,
    record.updated_at,
    ...auditValues(context, {
      action: 'cash.balances.upsert',
      companyId: record.company_id,
      resourceId: record.id,
      after: { as_of: record.as_of, balance_cents: record.balance_cents, currency: record.currency, result },
    }),
    ...event.values,
  ]);
  return row?.stored === 1 ? { endpointIds: row.endpoint_ids } : undefined;
}
