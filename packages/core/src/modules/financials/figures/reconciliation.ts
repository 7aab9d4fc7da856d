import type { AccountType, Reconciliation } from '@finhook/contracts';
import { statement } from '../../../db/queryable.ts';
import { exactCentsOf } from '../../../input/exact-arithmetic.ts';
import type { Context } from '../../../verbs/context.ts';
import { owedSignSql, seriesCtes } from '../../cash/series-sql.ts';
import { dayGroups, firstDaySql, tailCte, tailGroupsCte } from '../rollup/rollup-sql.ts';

export interface SeriesInterval {
  connectionId: string;
  accountType: AccountType;
  /** For a credit card or loan: the sign of a balance that is owed, if any balance is not zero. */
  owedSign?: number | null;
  currency: string;
  /** Days of the two balances; transactions after `from` and up to `to` count. */
  from: string;
  to: string;
  opening: bigint;
  closing: bigint;
  posted: bigint;
  moved: bigint;
}

const FLOOR = 100n;

/** A positive balance that is owed grows with negative transactions; a deposit that does so may be a card or a loan. */
export function reconcile(interval: SeriesInterval): Reconciliation {
  const { opening, closing, posted } = interval;
  const change = interval.owedSign === 1 ? opening - closing : closing - opening;
  const unexplained = change - posted;
  const threshold = toleranceOf(interval);
  const isOpposite = absolute(change + posted) <= threshold && absolute(posted) > threshold;
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
    hint: isOpposite && interval.accountType === 'depository' ? 'opposite_signs' : null,
    status: absolute(unexplained) > threshold ? 'warn' : 'pass',
  };
}

/** 1 % of the closing balance or 10 % of what moved, at least 100: a large balance must not hide a gap. */
function toleranceOf({ closing, moved }: SeriesInterval): bigint {
  const [ofBalance, ofMoved] = [absolute(closing) / 100n, moved / 10n];
  const smaller = ofBalance < ofMoved ? ofBalance : ofMoved;
  return smaller > FLOOR ? smaller : FLOOR;
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}

const SETTLED_DAYS = 2;
const SPAN_DAYS = 30;

const balanceOf = `SELECT b.as_of, b.balance_cents, b.currency FROM cash_balance b
  WHERE b.company_id = $1 AND b.connection_id = l.connection_id`;
const explained = `${balanceOf} AND b.as_of >= f.day - 1`;

const between = `x.currency = k.currency AND x.day > p.as_of AND x.day <= k.as_of`;

// The opening balance is not older than the transactions, and is in the closing currency if the currency changed.
const readIntervals = statement(
  'read_reconciliation',
  `WITH RECURSIVE ${seriesCtes}, ${tailCte()}, ${tailGroupsCte('(SELECT timezone FROM c)')},
   fresh AS MATERIALIZED (${dayGroups})
   SELECT l.connection_id, l.account_type, k.currency, p.as_of AS from_day, k.as_of AS to_day, p.balance_cents AS opening,
          k.balance_cents AS closing, s.posted::text AS posted, s.moved::text AS moved,
          CASE WHEN l.reason IS NOT NULL AND l.account_type <> 'restricted' THEN ${owedSignSql('l')} END AS owed_sign
   FROM (SELECT * FROM known WHERE account_type <> 'investment') l
   CROSS JOIN LATERAL (${balanceOf} AND b.as_of <= (SELECT today FROM c) - ${SETTLED_DAYS} ORDER BY b.as_of DESC LIMIT 1) k
   CROSS JOIN LATERAL (SELECT ${firstDaySql('l.connection_id', 'fresh')} AS day) f
   CROSS JOIN LATERAL (
     SELECT * FROM (
       SELECT * FROM (${explained} AND b.as_of <= k.as_of - ${SPAN_DAYS} ORDER BY b.as_of DESC LIMIT 1) before
       WHERE before.currency = k.currency
       UNION ALL
       (${explained} AND b.as_of < k.as_of AND b.as_of > k.as_of - ${SPAN_DAYS} AND b.currency = k.currency
        ORDER BY b.as_of LIMIT 1)
     ) found ORDER BY found.as_of LIMIT 1
   ) p
   CROSS JOIN LATERAL (
     SELECT coalesce(sum(net), 0) AS posted, coalesce(sum(abs(net)), 0) AS moved FROM (
       SELECT sum(net) AS net FROM (
         SELECT x.day, x.net FROM transaction_day x
         WHERE x.company_id = $1 AND x.connection_id = l.connection_id AND ${between}
         UNION ALL
         SELECT x.day, x.net FROM fresh x WHERE x.connection_id = l.connection_id AND ${between}
       ) parts GROUP BY day
     ) days
   ) s
   ORDER BY l.connection_id`,
);

interface Row {
  connection_id: string;
  account_type: AccountType;
  owed_sign: number | null;
  currency: string;
  from_day: string;
  to_day: string;
  opening: string;
  closing: string;
  posted: string;
  moved: string;
}

/** Omits investments, whose balance moves without transactions. Call it after the sums are updated. */
export async function readReconciliations(context: Context, companyId: string): Promise<Reconciliation[]> {
  const values = [companyId, context.accountId, context.clock.now().toISOString()];
  const rows = await context.database.query<Row>(readIntervals, values);
  return rows.map((row) =>
    reconcile({
      connectionId: row.connection_id,
      accountType: row.account_type,
      owedSign: row.owed_sign,
      currency: row.currency,
      from: row.from_day,
      to: row.to_day,
      opening: BigInt(row.opening),
      closing: BigInt(row.closing),
      posted: BigInt(row.posted),
      moved: BigInt(row.moved),
    }),
  );
}
