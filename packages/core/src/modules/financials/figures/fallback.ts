import type { LineItem } from '@finhook/contracts';
import { statement } from '../../../db/queryable.ts';
import { type Rational, rational } from '../../../input/exact-arithmetic.ts';
import { daysBetween } from '../../../time/calendar.ts';
import type { Context } from '../../../verbs/context.ts';
import type { CashView } from '../../cash/cash-on-hand.ts';
import { seriesCtes } from '../../cash/series-sql.ts';
import type { Conversion } from '../../fx-rates/convert.ts';
import { readValues } from '../statements/statement-values.ts';
import { DAYS_PER_MONTH, type FallbackBurn } from './compute-runway.ts';
import { wholeMonths } from './months.ts';

const DELTA_DAYS = 90;
const MIN_DELTA_DAYS = 30;

export interface BalanceChange {
  day: string;
  before: bigint;
  now: bigint;
  /** Connections without both balances; '' for the series without a connection. */
  excluded?: readonly string[];
}

/** Monthly burn: −(now − before) / (days / 30.436875). Undefined for less than 30 days of balances. */
export function balanceDelta({ day, before, now, excluded }: BalanceChange, today: string): FallbackBurn | undefined {
  const days = daysBetween(day, today);
  if (days < MIN_DELTA_DAYS) return undefined;
  const net = rational((before - now) * DAYS_PER_MONTH.n, BigInt(days) * DAYS_PER_MONTH.d);
  return { net, basis: 'balance_delta', excluded };
}

/** Burn from a cash flow statement: −net change in cash per month of its period, both days inclusive. */
export function statementBurn(netChange: bigint, start: string, end: string): FallbackBurn {
  const months = monthsIn(start, end);
  return { net: rational(-netChange * months.d, months.n), basis: 'cash_flow_statement' };
}

function monthsIn(start: string, end: string): Rational {
  const months = wholeMonths(start, end);
  if (months !== undefined) return rational(BigInt(months));
  return rational(BigInt(daysBetween(start, end) + 1) * DAYS_PER_MONTH.d, DAYS_PER_MONTH.n);
}

/** `held` has the series by currency. If a change is unknown, the company's cash flow statement counts instead. */
export function totalFallback(
  burns: ReadonlyMap<string, FallbackBurn>,
  held: ReadonlyMap<string, readonly string[]>,
  conversion: Conversion,
): FallbackBurn | undefined {
  const inOne = (currency: string, { n, d }: Rational): Rational =>
    rational(conversion.convert(n, currency), d * conversion.parts);
  const deltas = [...burns].filter(([, { basis }]) => basis === 'balance_delta');
  const without = [...held].filter(([currency]) => deltas.every(([known]) => known !== currency));
  const stated = [...burns].find(([, { basis }]) => basis === 'cash_flow_statement');
  if (stated && (without.length > 0 || deltas.length === 0))
    return { ...stated[1], net: inOne(stated[0], stated[1].net) };
  if (deltas.length === 0) return undefined;
  const nets = deltas.map(([currency, { net }]) => inOne(currency, net));
  return {
    net: nets.reduce((a, b) => rational(a.n * b.d + b.n * a.d, a.d * b.d)),
    basis: 'balance_delta',
    excluded: [...deltas.flatMap(([, { excluded = [] }]) => excluded), ...without.flatMap(([, ids]) => ids)],
  };
}

// A series that began less than 30 days ago is excluded: its balance is not income and must not shorten the period.
const readDeltas = statement(
  'read_balance_deltas',
  `WITH RECURSIVE ${seriesCtes},
   f AS (
     SELECT l.*, o.first_day, o.first_day <= (SELECT today FROM c) - ${MIN_DELTA_DAYS} AS counts
     FROM latest l CROSS JOIN LATERAL (
       SELECT b.as_of AS first_day FROM cash_balance b
       WHERE b.company_id = $1 AND b.connection_id = l.connection_id AND b.currency = l.currency
       ORDER BY b.as_of LIMIT 1
     ) o
   ),
   d AS (
     SELECT f.currency, greatest(max(f.first_day) FILTER (WHERE counts), (SELECT today FROM c) - ${DELTA_DAYS}) AS day,
            coalesce(array_agg(f.connection_id ORDER BY f.connection_id) FILTER (WHERE NOT counts), '{}') AS excluded
     FROM f GROUP BY 1
   )
   SELECT f.currency, d.day, d.excluded, sum(f.balance_cents)::text AS now, sum(b.balance_cents)::text AS before
   FROM f JOIN d ON d.currency = f.currency AND f.counts
   CROSS JOIN LATERAL (
     SELECT o.balance_cents FROM cash_balance o
     WHERE o.company_id = $1 AND o.connection_id = f.connection_id AND o.currency = f.currency AND o.as_of <= d.day
     ORDER BY o.as_of DESC LIMIT 1
   ) b
   GROUP BY 1, 2, 3`,
);

const readCashflow = statement(
  'read_newest_cashflow',
  `SELECT period_start, period_end, currency, totals, line_items FROM financial_snapshot
   WHERE company_id = $1 AND account_id = $2 AND statement_type = 'cashflow' AND period_end <= $3::date
   ORDER BY period_end DESC LIMIT 1`,
);

interface DeltaRow {
  currency: string;
  day: string;
  excluded: string[];
  now: string;
  before: string;
}

interface CashflowRow {
  period_start: string;
  period_end: string;
  currency: string;
  totals: Record<string, number>;
  line_items: LineItem[];
}

export async function readFallbacks(context: Context, cash: CashView): Promise<Map<string, FallbackBurn>> {
  const { companyId, today, now } = cash;
  const burns = new Map<string, FallbackBurn>();
  const [statementRow] = await context.database.query<CashflowRow>(readCashflow, [companyId, context.accountId, today]);
  const change = statementRow && readValues(statementRow).of('net_change_in_cash');
  if (statementRow && change !== undefined) {
    const { currency, period_start, period_end } = statementRow;
    burns.set(currency, statementBurn(change, period_start, period_end));
  }
  const values = [companyId, context.accountId, new Date(now).toISOString()];
  for (const row of await context.database.query<DeltaRow>(readDeltas, values)) {
    const delta = balanceDelta({ ...row, before: BigInt(row.before), now: BigInt(row.now) }, today);
    if (delta) burns.set(row.currency, delta);
  }
  return burns;
}
