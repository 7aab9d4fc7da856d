import type { Warning } from '@finhook/contracts';
import { type Queryable, statement } from '../../db/queryable.ts';

/** Newest rows of a company, among which one of the connection is searched for. */
const NEWEST_ROWS = 1000;

/** SQL: the newest row's currency, or any row's if it is older than the company's newest thousand rows. */
export const newestRowCurrency = (company: string, connection: string, end: string): string => `(
  SELECT coalesce((
    SELECT n.currency FROM (
      SELECT t.connection_id, t.currency FROM bank_transaction t
      WHERE t.company_id = ${company} AND t.posted_at < ${end} AND t.voided_at IS NULL ORDER BY t.posted_at DESC, t.id DESC LIMIT ${NEWEST_ROWS}
    ) n WHERE n.connection_id = ${connection} LIMIT 1
  ), a.currency) FROM (
    SELECT t.currency FROM bank_transaction t WHERE t.company_id = ${company} AND t.connection_id = ${connection} AND t.voided_at IS NULL LIMIT 1
  ) a)`;

// Balances up to tomorrow count, as in the figures. IS TRUE keeps the day from influencing the choice of index.
const read = statement(
  'read_series_currencies',
  `SELECT s.connection_id, l.currency AS of_balance,
     coalesce(l.currency, ${newestRowCurrency('$1', 's.connection_id', '(d.tomorrow + 1)::timestamp AT TIME ZONE $4')}) AS currency
   FROM unnest($2::text[]) AS s (connection_id)
   CROSS JOIN (SELECT ($3::timestamptz AT TIME ZONE $4)::date + 1 AS tomorrow) d
   LEFT JOIN LATERAL (
     SELECT b.currency FROM cash_balance b
     WHERE b.company_id = $1 AND b.connection_id = s.connection_id AND (b.as_of <= d.tomorrow) IS TRUE
     ORDER BY b.as_of DESC LIMIT 1
   ) l ON true`,
);

export interface SeriesCurrency {
  connection_id: string;
  /** Currency of the newest balance, or null. */
  of_balance: string | null;
  /** `of_balance`, else the currency of the newest row, else null. */
  currency: string | null;
}

/** By connection; '' for rows without one. */
export async function readSeriesCurrencies(
  db: Queryable,
  { id, timezone }: { id: string; timezone: string },
  connectionIds: readonly string[],
  now: Date,
): Promise<Map<string, SeriesCurrency>> {
  if (connectionIds.length === 0) return new Map();
  const found = await db.query<SeriesCurrency>(read, [id, [...new Set(connectionIds)], now.toISOString(), timezone]);
  return new Map(found.map((one) => [one.connection_id, one]));
}

export function currencyChanged(pointer: string, sent: string, stored: string): Warning {
  return {
    code: 'currency_changed',
    pointer,
    message: `The connection has ${stored} so far, and this is ${sent}. A connection is one account in one currency: send ${sent} under another connection_id.`,
    stored_currency: stored,
  };
}
