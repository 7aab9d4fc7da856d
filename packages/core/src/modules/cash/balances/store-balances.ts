import type { CashBalance } from '@finhook/contracts';
import { reservingKeySql } from '../../../access/ingest-key.ts';
import { type Queryable, statement } from '../../../db/queryable.ts';
import { auditValues } from '../../../outbox/audit.ts';
import { emitCtes, newDeliveriesSql, prepareEvent } from '../../../outbox/emit.ts';
import type { HandOffs, NewDelivery } from '../../../outbox/hand-off.ts';
import { eventAuditColumns, eventAuditValues, eventRows, insertAuditRows } from '../../../outbox/record-change.ts';
import { takePositions } from '../../../outbox/sequence-sql.ts';
import { sharesLock } from '../../../outbox/transaction.ts';
import type { Context } from '../../../verbs/context.ts';
import { newestRowCurrency } from '../series-currency.ts';
import { accountTypeSql, noCashTypes, seriesCtesOf } from '../series-sql.ts';

/** Columns that depend on what is stored: the id in the audit row and its `after`, and the event's body. */
const computed = ['a7 text', 'a11 text', 'e5 text'];
const given = eventAuditColumns.split(', ').filter((column) => !computed.includes(column));
const givenNames = given.map((column) => `r.${column.split(' ')[0]}`).join(', ');

/** The largest sum that JSON numbers hold exactly. */
const exactSum = Number.MAX_SAFE_INTEGER;

// The type that a post of this statement, up to `r`, names for a connection whose type nobody set. Most name none, which the
// first subquery tells once.
const namedType = `CASE WHEN (SELECT count(account_type) FROM state) > 0 THEN (
  SELECT p.account_type FROM state p
  WHERE p.company_id = r.company_id AND p.connection_id = series.connection_id AND p.is_accepted AND p.n <= r.n
    AND p.account_type IS NOT NULL AND p.set_account_type IS NULL
  ORDER BY p.n DESC LIMIT 1
) END`;

// Everything that the event tells is read in the snapshot of the statement that stores it. `version` refuses a row that
// was changed after that, so the event is right and the feed has the order of the values. Key-share locks protect the
// companies from dissolution and registered connections from their end; both are read as they are once locked. Rows are
// written in key order: overlapping statements cannot deadlock. `cash` is the cash on hand after each post, which counts
// the earlier posts of the same statement. The LATERAL with a LIMIT uses the whole key: a plan that was made while the
// table was empty must not scan it later.
const store = statement(
  'store_balances',
  `WITH RECURSIVE r AS MATERIALIZED (
     SELECT * FROM json_to_recordset($1) AS r (n int, id text, company_id text, connection_id text, as_of date,
       balance_cents bigint, currency text, source text, account_type text, ingest_key text, lists_connections boolean, updated_at timestamptz, traceparent text,
       until_id text, until_created_at text, until_result text, after text, ${given.join(', ')})
   ),
   ${seriesCtesOf('id = ANY (ARRAY(SELECT company_id FROM r))', 'FOR KEY SHARE')},
   counted AS MATERIALIZED (SELECT * FROM known),
   k AS MATERIALIZED (
     SELECT id, company_id, status, currency FROM bank_connection
     WHERE company_id = ANY (ARRAY(SELECT company_id FROM r))
       AND id = ANY (ARRAY(SELECT connection_id FROM r WHERE starts_with(connection_id, 'conn_')))
       AND ${sharesLock('id')}
     FOR KEY SHARE
   ),
   state AS MATERIALIZED (
     SELECT r.n, r.company_id, r.connection_id, r.as_of, r.balance_cents, r.currency, r.source, r.account_type, r.updated_at,
       r.traceparent, r.until_id, r.until_created_at, r.until_result, r.after, ${givenNames},
       c.base_currency, c.status AS company_status, c.today, k.status AS connection_status,
       k.currency AS connection_currency, o.is_owned,
       c.accounts ->> r.connection_id AS set_account_type,
       ${accountTypeSql('c.id', 'r.connection_id', 'c.accounts')} AS known_account_type,
       coalesce(s.currency, ${newestRowCurrency('c.id', 'r.connection_id', '(c.today + 2)::timestamp AT TIME ZONE c.timezone')})
         AS series_currency,
       coalesce(b.id, r.id) AS id, coalesce(b.version, 0) AS version, coalesce(b.created_at, r.updated_at) AS created_at,
       to_char(coalesce(b.created_at, r.updated_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created,
       CASE WHEN b.id IS NULL THEN 'created'
         WHEN (b.balance_cents, b.currency, b.source, b.account_type)
           IS NOT DISTINCT FROM (r.balance_cents, r.currency, r.source, r.account_type) THEN 'unchanged'
         ELSE 'updated' END AS result,
       CASE WHEN b.currency = r.currency THEN b.balance_cents END AS previous_balance_cents,
       coalesce(o.is_owned AND c.status <> 'dissolved' AND (NOT starts_with(r.connection_id, 'conn_')
         OR k.status <> 'disconnected' AND (k.status <> 'pending' OR $4)), false) AS is_accepted,
       r.as_of <= c.today + 1 AND (r.connection_id = ANY (c.excluded)) IS NOT TRUE AS is_counted
     FROM r
     LEFT JOIN c ON c.id = r.company_id
     LEFT JOIN k ON k.id = r.connection_id AND k.company_id = r.company_id
     LEFT JOIN newest s ON s.company_id = r.company_id AND s.connection_id = r.connection_id
     LEFT JOIN LATERAL (
       SELECT id, balance_cents, currency, source, account_type, version, created_at FROM cash_balance
       WHERE company_id = r.company_id AND connection_id = r.connection_id AND as_of = r.as_of LIMIT 1
     ) b ON true
     CROSS JOIN LATERAL (SELECT (r.ingest_key IS NULL OR r.ingest_key = (
       SELECT w.key_id FROM series_owner w
       WHERE w.account_id = $2 AND w.company_id = r.company_id AND w.connection_id = r.connection_id LIMIT 1
     )) IS TRUE AND (r.ingest_key IS NULL OR r.lists_connections OR NOT EXISTS (
       SELECT FROM api_key k WHERE ${reservingKeySql('r.ingest_key', '$3', '$2')}
         AND r.connection_id = ANY (k.connection_ids)
         AND (k.company_ids IS NULL OR r.company_id = ANY (k.company_ids))
     )) AS is_owned) o
   ),
   stored AS (
     INSERT INTO cash_balance AS b
       (id, account_id, company_id, connection_id, as_of, balance_cents, currency, source, account_type, version, created_at, updated_at)
     SELECT id, $2, company_id, connection_id, as_of, balance_cents, currency, source, account_type, version + 1, created_at, updated_at
     FROM state WHERE is_accepted
     ORDER BY company_id, connection_id, as_of
     ON CONFLICT (company_id, connection_id, as_of) DO UPDATE
       SET balance_cents = excluded.balance_cents, currency = excluded.currency, source = excluded.source,
           account_type = excluded.account_type, version = excluded.version, updated_at = excluded.updated_at
       WHERE b.version = excluded.version - 1
     RETURNING id
   ),
   written AS MATERIALIZED (
     SELECT r.traceparent, ${givenNames}, r.id AS a7, r.after || r.result || '"}' AS a11,
       r.until_id || r.id || r.until_created_at || r.created || r.until_result || r.result
         || coalesce('","previous_balance_cents":' || r.previous_balance_cents, '"')
         || ',"cash_on_hand":[' || coalesce(cash.lines, '') || ']}}' AS e5
     FROM state r CROSS JOIN LATERAL (
       SELECT string_agg('{"currency":"' || currency || '","balance_cents":' || CASE
         WHEN abs(total) <= ${exactSum} THEN total::text ELSE 'null,"balance_string":"' || total || '"' END || '}',
         ',' ORDER BY currency <> r.base_currency, currency COLLATE "C") AS lines
       FROM (
         SELECT currency, sum(balance_cents) AS total FROM (
           SELECT DISTINCT ON (connection_id) connection_id, currency, balance_cents, account_type FROM (
             SELECT l.connection_id, l.as_of, 0 AS n, l.currency, l.balance_cents, l.account_type
             FROM counted l WHERE l.company_id = r.company_id
             UNION ALL
             SELECT p.connection_id, p.as_of, p.n, p.currency, p.balance_cents, p.known_account_type
             FROM state p WHERE p.company_id = r.company_id AND p.is_accepted AND p.is_counted AND p.n <= r.n
           ) balances ORDER BY connection_id, as_of DESC, n DESC
         ) series WHERE coalesce(${namedType}, account_type) NOT IN ${noCashTypes} GROUP BY currency
       ) sums
     ) cash
     WHERE r.id IN (SELECT id FROM stored)
   ),
   typed AS (
     INSERT INTO connection_account_type AS t (account_id, company_id, connection_id, account_type)
     SELECT DISTINCT ON (company_id, connection_id) $2, company_id, connection_id, account_type FROM state
     WHERE account_type IS NOT NULL AND id IN (SELECT id FROM stored) ORDER BY company_id, connection_id, n DESC
     ON CONFLICT (company_id, connection_id) DO UPDATE SET account_type = excluded.account_type
       WHERE t.account_type <> excluded.account_type
   ),
   ${takePositions('SELECT e1, count(*), count(*) FROM written GROUP BY e1')},
   au AS (${insertAuditRows('written')}),
   ${emitCtes({ source: eventRows('written', ', traceparent'), traced: true, leaseMs: '$5::int' })}
   SELECT s.id, s.created AS created_at, s.result, s.previous_balance_cents, s.company_status, s.today, s.connection_status,
     s.connection_currency, s.series_currency, s.set_account_type, s.is_owned, w.e5 AS body,
     CASE WHEN s.n = 1 THEN (SELECT json_agg(d) FROM (${newDeliveriesSql}) d) END AS deliveries
   FROM state s LEFT JOIN written w ON w.a7 = s.id ORDER BY s.n`,
);

export interface BalanceWrite {
  context: Context;
  /** As it is stored if there is none yet; an existing one keeps `id` and `created_at`. */
  record: CashBalance;
}

interface Row {
  id: string;
  created_at: string;
  result: 'created' | 'updated' | 'unchanged';
  /** Null without an earlier balance of the same currency. */
  previous_balance_cents: string | null;
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
  /** The event. Null if the post is not accepted, or if another statement changed the balance meanwhile. */
  body: string | null;
  /** In the first row only: the new deliveries of all. */
  deliveries: NewDelivery[] | null;
}

export interface StoredBalance extends Row {
  event_id: string;
}

export interface StoreOptions {
  accountId: string;
  now: Date;
  /** True to store under connections that wait for their first row: the caller activates them. */
  activates: boolean;
}

/**
 * Writes balances of one account, each with its audit row, event and deliveries, in one statement, and returns what
 * became of each.
 */
export async function storeBalances(
  db: Queryable,
  handOffs: HandOffs,
  writes: readonly BalanceWrite[],
  { accountId, now, activates }: StoreOptions,
): Promise<StoredBalance[]> {
  const events = writes.map(({ context, record }) => prepare(context, record));
  const rows = writes.map(({ context, record }, n) => ({
    ...record,
    // Stored balances come before, as number 0.
    n: n + 1,
    connection_id: record.connection_id ?? '',
    ingest_key: context.access.ingest?.originId,
    lists_connections: context.access.ingest?.connectionIds !== undefined,
    traceparent: context.database.traceparent,
    ...events[n]?.row,
  }));
  const values = [JSON.stringify(rows), accountId, now.toISOString(), activates, handOffs.leaseMs];
  const stored = await db.query<Row>(store, values);
  const results = stored.map((row, n) => ({ ...row, event_id: events[n]?.id ?? '' }));
  const emitted = results.flatMap(({ event_id: id, body }, n) => {
    const traceparent = writes[n]?.context.database.traceparent;
    return body === null ? [] : [{ id, type: 'bank.balance.updated', body, traceparent }];
  });
  handOffs.add(stored[0]?.deliveries ?? [], emitted);
  return results;
}

/** The end of the event of a new balance, which the statement replaces. */
const ending = 'created","cash_on_hand":[]}}';
const createdAt = '"created_at":"';
/** The same for the audit row. */
const afterEnding = 'created"}';

/**
 * The event of a new balance, cut where the statement puts in id, creation time and result. No text of the caller can
 * match: JSON escapes quotation marks, and the id is random.
 */
function prepare(context: Context, record: CashBalance) {
  const { company_id: companyId } = record;
  const event = prepareEvent(context, {
    type: 'bank.balance.updated',
    companyId,
    data: { ...record, result: 'created', cash_on_hand: [] },
  });
  const text = event.body;
  if (!text.endsWith(ending)) throw new Error('The fields of bank.balance.updated do not end with cash_on_hand.');
  const { as_of, balance_cents, currency } = record;
  const after = JSON.stringify({ as_of, balance_cents, currency, result: 'created' });
  const [id, created] = [text.indexOf(record.id), text.lastIndexOf(createdAt) + createdAt.length];
  const cut = {
    until_id: text.slice(0, id),
    until_created_at: text.slice(id + record.id.length, created),
    until_result: text.slice(created + record.created_at.length, -ending.length),
    after: after.slice(0, -afterEnding.length),
  };
  const audited = auditValues(context, { action: 'cash.balances.upsert', companyId, resourceId: record.id });
  return { id: event.id, row: { ...eventAuditValues(audited, event), ...cut } };
}
