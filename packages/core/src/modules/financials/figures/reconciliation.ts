import type { Reconciliation } from '@finhook/contracts';
import { statement } from '../../../db/queryable.ts';
import type { Context } from '../../../kernel/context.ts';
import { exactCentsOf } from '../../../kernel/exact-arithmetic.ts';
import { seriesCtes } from '../../cash/series-sql.ts';
import { dayGroups, tailCte, tailGroupsCte } from '../rollup/rollup-sql.ts';

export interface SeriesInterval {
  connectionId: string;
  currency: string;
  /** Days of the two balances; transactions after the first and until the second count. */
  from: string;
  to: string;
  opening: bigint;
  closing: bigint;
  posted: bigint;
}

/** Smallest difference that warns, in minor units. */
const FLOOR = 100n;

/**
 * Computes the part of a series' change between two balances that its transactions do not explain. It warns beyond one
 * percent of the closing balance, at least 100 minor units; a balance may contain rows that the bank has not listed
 * yet.
 */
export function reconcile(interval: SeriesInterval): Reconciliation {
  const { opening, closing, posted } = interval;
  const unexplained = closing - opening - posted;
  const percent = absolute(closing) / 100n;
  const threshold = percent > FLOOR ? percent : FLOOR;
  return {
    connection_id: interval.connectionId || null,
    currency: interval.currency,
    from: interval.from,
    to: interval.to,
    opening_cents: Number(opening),
    closing_cents: Number(closing),
    ...exactCentsOf('posted', posted),
    ...exactCentsOf('unexplained', unexplained),
    ...exactCentsOf('threshold', threshold),
    status: absolute(unexplained) * 100n > absolute(closing) && absolute(unexplained) > FLOOR ? 'warn' : 'pass',
  };
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}

/** Days between the two balances of a series, if its balances and transactions go back that far. */
const SPAN_DAYS = 30;

const balanceOf = `SELECT b.as_of, b.balance_cents, b.currency FROM cash_balance b
  WHERE b.company_id = $1 AND b.connection_id = l.connection_id AND b.as_of >= f.day - 1`;

const sumBetween = (source: string): string =>
  `coalesce((SELECT sum(x.net) FROM ${source} x WHERE x.connection_id = l.connection_id
     AND x.currency = l.currency AND x.day > p.as_of AND x.day <= l.as_of), 0)`;

// The earlier balance is not older than the series' transactions, which could not explain it. If the balance of a month
// before is in another currency, the first one in the closing balance's currency is used: the series changed its
// currency.
const readIntervals = statement(
  'read_reconciliation',
  `WITH RECURSIVE ${seriesCtes}, ${tailCte()}, ${tailGroupsCte('(SELECT timezone FROM c)')},
   fresh AS MATERIALIZED (${dayGroups})
   SELECT l.connection_id, l.currency, p.as_of AS from_day, l.as_of AS to_day, p.balance_cents AS opening,
          l.balance_cents AS closing,
          (${sumBetween('(SELECT * FROM transaction_day WHERE company_id = $1 AND connection_id = l.connection_id)')}
           + ${sumBetween('fresh')})::text AS posted
   FROM latest l
   CROSS JOIN LATERAL (
     SELECT least(
       (SELECT d.day FROM transaction_day d WHERE d.company_id = $1 AND d.connection_id = l.connection_id
        ORDER BY d.day LIMIT 1),
       (SELECT min(n.day) FROM fresh n WHERE n.connection_id = l.connection_id)
     ) AS day
   ) f
   CROSS JOIN LATERAL (
     SELECT * FROM (
       SELECT * FROM (${balanceOf} AND b.as_of <= l.as_of - ${SPAN_DAYS} ORDER BY b.as_of DESC LIMIT 1) before
       WHERE before.currency = l.currency
       UNION ALL
       (${balanceOf} AND b.as_of < l.as_of AND b.as_of > l.as_of - ${SPAN_DAYS} AND b.currency = l.currency
        ORDER BY b.as_of LIMIT 1)
     ) found ORDER BY found.as_of LIMIT 1
   ) p
   ORDER BY l.connection_id`,
);

interface Row {
  connection_id: string;
  currency: string;
  from_day: string;
  to_day: string;
  opening: string;
  closing: string;
  posted: string;
}

/**
 * Compares each series' newest balance and one of about a month before with the transactions in between. A series
 * without transactions or a second balance in the same currency has no line. Read after the sums are updated.
 */
export async function readReconciliations(context: Context, companyId: string): Promise<Reconciliation[]> {
  const values = [companyId, context.accountId, context.clock.now().toISOString()];
  const rows = await context.database.query<Row>(readIntervals, values);
  return rows.map((row) =>
    reconcile({
      connectionId: row.connection_id,
      currency: row.currency,
      from: row.from_day,
      to: row.to_day,
      opening: BigInt(row.opening),
      closing: BigInt(row.closing),
      posted: BigInt(row.posted),
    }),
  );
}
