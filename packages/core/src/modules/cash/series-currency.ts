import type { Warning } from '@finhook/contracts';
import { type Queryable, statement } from '../../db/queryable.ts';

/** Rows of a company, newest first, among which that of a connection is looked for. */
const NEWEST_ROWS = 1000;

/**
 * SQL: the currency of the newest row under a connection, null without a row. Of one whose rows are older than the
 * company's newest thousand it is that of any row: no index has the rows of a connection by time. The parameters are
 * SQL; rows from `end` on do not count.
 */
export const newestRowCurrency = (company: string, connection: string, end: string): string => `(
  SELECT coalesce((
    SELECT n.currency FROM (
      SELECT t.connection_id, t.currency FROM bank_transaction t
      WHERE t.company_id = ${company} AND t.posted_at < ${end} AND t.voided_at IS NULL ORDER BY t.posted_at DESC, t.id DESC LIMIT ${NEWEST_ROWS}
    ) n WHERE n.connection_id = ${connection} LIMIT 1
  ), a.currency) FROM (
    SELECT t.currency FROM bank_transaction t WHERE t.company_id = ${company} AND t.connection_id = ${connection} AND t.voided_at IS NULL LIMIT 1
  ) a)`;

// As in the figures, the newest is at most of tomorrow. IS TRUE keeps the day from influencing the choice of index.
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
  /** That of the newest balance; null without one. */
  of_balance: string | null;
  /** The same, or else that of the newest row; null for a connection without both. */
  currency: string | null;
}

/** Reads the stored currencies of a company's connections, by connection; '' is that of rows without one. */
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

/** Warns of a balance or of rows in another currency than the one that is stored: a connection is one account. */
export function currencyChanged(pointer: string, sent: string, stored: string): Warning {
  return {
    code: 'currency_changed',
    pointer,
    message: `The connection has ${stored} so far, and this is ${sent}. A connection is one account in one currency: send ${sent} under another connection_id.`,
    stored_currency: stored,
  };
}
