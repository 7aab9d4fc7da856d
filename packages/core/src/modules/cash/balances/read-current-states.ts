import { type Queryable, statement } from '../../../db/queryable.ts';
import type { SeriesBalance } from '../cash-on-hand.ts';
import { seriesCtesOf } from '../series-sql.ts';

export interface BalanceKey {
  company_id: string;
  /** Empty if the row names no connection. */
  connection_id: string;
  as_of: string;
}

export interface CurrentState {
  /** Null if the account has no such company. */
  status: string | null;
  base_currency: string;
  today: string;
  id: string | null;
  balance_cents: string | null;
  currency: string | null;
  source: string | null;
  version: number | null;
  created_at: string | null;
  /** Null if the row names no registered connection, or one of another company. */
  connection_status: string | null;
  /** The registered connection's own currency, if any. */
  connection_currency: string | null;
  series: SeriesBalance[];
  is_excluded: boolean;
}

// The LATERAL with a LIMIT uses the whole key: a plan that was made while the table was empty must not scan it later.
const readStatement = statement(
  'read_balance_states',
  `WITH RECURSIVE ${seriesCtesOf('id = ANY ($1)')},
   series AS MATERIALIZED (
     SELECT company_id, json_agg(json_build_object('connection_id', connection_id, 'as_of', as_of,
       'balance_cents', balance_cents, 'currency', currency)) AS list
     FROM latest GROUP BY company_id
   )
   SELECT c.status, c.base_currency, c.today, b.*,
          k.status AS connection_status, k.currency AS connection_currency,
          coalesce(s.list, '[]') AS series,
          coalesce(p.connection_id = ANY (c.excluded), false) AS is_excluded
   FROM unnest($1::text[], $4::text[], $5::date[]) WITH ORDINALITY AS p (company_id, connection_id, as_of, n)
   LEFT JOIN c ON c.id = p.company_id
   LEFT JOIN series s ON s.company_id = p.company_id
   LEFT JOIN LATERAL (
     SELECT id, balance_cents, currency, source, version, created_at FROM cash_balance
     WHERE company_id = p.company_id AND connection_id = p.connection_id AND as_of = p.as_of LIMIT 1
   ) b ON true
   LEFT JOIN LATERAL (
     SELECT status, currency FROM bank_connection
     WHERE starts_with(p.connection_id, 'conn_') AND id = p.connection_id AND company_id = p.company_id LIMIT 1
   ) k ON true
   ORDER BY p.n`,
);

export function readCurrentStates(
  db: Queryable,
  accountId: string,
  keys: readonly BalanceKey[],
  now: Date,
): Promise<CurrentState[]> {
  return db.query<CurrentState>(readStatement, [
    keys.map(({ company_id }) => company_id),
    accountId,
    now.toISOString(),
    keys.map(({ connection_id }) => connection_id),
    keys.map(({ as_of }) => as_of),
  ]);
}
