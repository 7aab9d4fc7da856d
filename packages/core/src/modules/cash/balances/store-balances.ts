import { reservingKeySql } from '../../../access/ingest-key.ts';
import { statement } from '../../../db/queryable.ts';
import { storedFunction } from '../../../db/stored-functions.ts';
import { emitCtes, newDeliveriesSql } from '../../../outbox/emit.ts';
import type { NewDelivery } from '../../../outbox/hand-off.ts';
import { positionSql, takePositions } from '../../../outbox/sequence-sql.ts';
import { sharesLock } from '../../../outbox/transaction.ts';
import { newestRowCurrency } from '../series-currency.ts';
import { accountTypeSql, noCashTypes, seriesCtesOf } from '../series-sql.ts';

const stored = 'FROM unnest(posts) p WHERE p.body IS NOT NULL';

export const storeBalancesFunction = storedFunction(new URL('store-balances.sql', import.meta.url), {
  account_type: accountTypeSql('company.id', 'post.connection_id', 'company.accounts'),
  shares_lock: sharesLock('k.id'),
  reserving_key: reservingKeySql('post.ingest_key', 'moment', 'of_account'),
  series: seriesCtesOf(
    'SELECT DISTINCT ON (company_id) company_id AS id, today, excluded, accounts FROM unnest(posts) WHERE is_accepted',
  ),
  // The largest sum that JSON numbers hold exactly.
  exact_sum: String(Number.MAX_SAFE_INTEGER),
  no_cash_types: noCashTypes,
  row_currency: newestRowCurrency(
    'post.company_id',
    'post.connection_id',
    '(post.today + 2)::timestamp AT TIME ZONE post.timezone',
  ),
  positions: takePositions(`SELECT of_account, count(*), count(*) ${stored}`),
  audit_position: positionSql('audit_position', 'of_account', 'p.audit_id'),
  emit: emitCtes({
    source: `SELECT p.event_id, of_account, p.company_id, 'bank.balance.updated', moment, p.body, p.traceparent ${stored}`,
    traced: true,
    leaseMs: 'lease_ms',
  }),
  deliveries: newDeliveriesSql,
});

/** Parameters: the sent rows as JSON, account, time, whether pending connections may be activated, lease in ms. */
export const storeBalances = statement(
  'store_balances',
  `SELECT event_id, company_status, today, connection_status, connection_currency, series_currency, set_account_type,
     is_owned, body, deliveries
   FROM ${storeBalancesFunction.name}($1, $2, $3, $4, $5)`,
);

/** What became of a post. */
export interface StoredBalance {
  event_id: string;
  /** Null if the account has no such company. */
  company_status: string | null;
  /** The company's local date. */
  today: string;
  /** Null if the row names no registered connection, or one of another company. */
  connection_status: string | null;
  /** The registered connection's own currency, if any. */
  connection_currency: string | null;
  /** The currency of the connection's newest balance, or else of its newest row; null without both. */
  series_currency: string | null;
  /** The type that somebody set for the connection; null for none. */
  set_account_type: string | null;
  /** False if the post is of an ingest key that does not own the connection, or not yet. */
  is_owned: boolean;
  /** The event. Null if the post is not accepted, or if another transaction changed the balance meanwhile. */
  body: string | null;
  /** In the first row only: the new deliveries of all. */
  deliveries: NewDelivery[] | null;
}
