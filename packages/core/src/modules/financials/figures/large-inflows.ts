import { formatMoney, type Warning } from '@finhook/contracts';
import { statement } from '../../../db/queryable.ts';
import { toTimestamp } from '../../../kernel/clock.ts';
import type { Context } from '../../../kernel/context.ts';
import { floorDivide, median } from '../../../kernel/exact-arithmetic.ts';
import type { BurnView } from './burn-view.ts';
import type { Burn } from './compute-burn.ts';
import { normalizedCategorySql } from './figure-rules.ts';
import type { MonthWindow } from './months.ts';

export interface LargeInflow {
  id: string;
  currency: string;
  amount: bigint;
  postedAt: string;
}

/** Multiple of the median month above which an inflow is flagged (money.md, Classes of flow). */
const TIMES = 5n;
/** With ten times as much spending, an inflow hardly moves the mean: interest is no financing round. */
const SPENDING_TIMES = 10n;
const SHOWN = 20;

/**
 * The amount above which an inflow is disproportionate; undefined without spending, because there is no burn to hide.
 */
export function inflowLimit({ months, gross }: Pick<Burn, 'months' | 'gross'>): bigint | undefined {
  if (gross.n === 0n) return undefined;
  const usual = median(months.map((month) => month.gross - month.net));
  const limits = [floorDivide(TIMES * usual.n, usual.d), floorDivide(gross.n, SPENDING_TIMES * gross.d)];
  return limits.reduce((a, b) => (a > b ? a : b));
}

// The order makes the planner use the index by time. Superseded rows are not part of burn.
const readRows = statement(
  'read_large_inflows',
  `SELECT t.id, t.currency, t.amount_cents, t.posted_at FROM (
     SELECT * FROM bank_transaction
     WHERE company_id = $1 AND account_id = $2 AND posted_at >= $3::timestamptz AND posted_at < $4::timestamptz
     ORDER BY posted_at
   ) t JOIN unnest($5::text[], $6::numeric[]) AS l (currency, amount) ON l.currency = t.currency
   WHERE t.amount_cents > l.amount AND ${normalizedCategorySql('t.category')} <> ALL ($7::text[])
     AND t.connection_id <> ALL ($8::text[])
     AND NOT EXISTS (SELECT FROM unnest($9::text[], $10::date[]) AS r (id, day)
                     WHERE r.id = t.connection_id AND r.day <= (t.posted_at AT TIME ZONE $11)::date)
   ORDER BY t.amount_cents DESC, t.id LIMIT ${SHOWN}`,
);

interface Row {
  id: string;
  currency: string;
  amount_cents: string;
  posted_at: string;
}

/**
 * Disproportionate inflows in the window's months that burn counts. Only months whose sum exceeds the limit are read
 * row by row, so most companies cost nothing.
 */
export async function readLargeInflows(context: Context, view: BurnView): Promise<LargeInflow[]> {
  const found: LargeInflow[] = [];
  for (const window of view.windows) {
    const limits = exceededIn(view.burns, window.month);
    if (limits.length > 0) found.push(...(await readMonth(context, view, window, limits)));
  }
  return found;
}

interface Limit {
  currency: string;
  amount: string;
}

function exceededIn(burns: readonly Burn[], month: string): Limit[] {
  return burns.flatMap((burn) => {
    const limit = inflowLimit(burn);
    const counted = burn.months.find((one) => one.month === month);
    if (limit === undefined || !counted || counted.gross - counted.net <= limit) return [];
    return [{ currency: burn.currency, amount: limit.toString() }];
  });
}

async function readMonth(
  context: Context,
  view: BurnView,
  window: MonthWindow,
  limits: readonly Limit[],
): Promise<LargeInflow[]> {
  const { cash, rules, replaced } = view;
  const rows = await context.database.query<Row>(readRows, [
    cash.companyId,
    context.accountId,
    window.from,
    window.to,
    limits.map(({ currency }) => currency),
    limits.map(({ amount }) => amount),
    [...rules.excludedCategories, ...rules.excludedInflowCategories],
    rules.excludedConnections,
    replaced.map(({ connection_id }) => connection_id),
    replaced.map(({ from }) => from),
    cash.zone.name,
  ]);
  const left = new Set(view.transfers.get(window.month)?.map(({ id }) => id));
  return rows
    .filter(({ id }) => !left.has(id))
    .map(({ id, currency, amount_cents, posted_at }) => ({
      id,
      currency,
      amount: BigInt(amount_cents),
      postedAt: toTimestamp(posted_at),
    }));
}

export function largeInflowWarnings(inflows: readonly LargeInflow[]): Warning[] {
  return inflows.map(({ id, currency, amount, postedAt }) => ({
    code: 'large_inflow',
    message: `${formatMoney(amount, currency)} came in on ${postedAt.slice(0, 10)} (${id}): more than five times the median month, and counted as income. If it is financing or a transfer, add its category to those that the settings leave out.`,
  }));
}
