import type {
  AccountType,
  CashOnHand,
  CashOnHandLine,
  CashSeries,
  ExclusionReason,
  operations,
  Warning,
} from '@finhook/contracts';
import { assertCompanyAccess } from '../../access/access.ts';
import { statement } from '../../db/queryable.ts';
import { exactCentsOf, rational, roundHalfEven } from '../../input/exact-arithmetic.ts';
import { daysBetween, openZone, type Zone } from '../../time/calendar.ts';
import { toTimestamp } from '../../time/clock.ts';
import type { Context } from '../../verbs/context.ts';
import { companyNotFound } from '../../verbs/domain-error.ts';
import type { Verb } from '../../verbs/verb.ts';
import { gradeFreshness, worstGrade } from '../freshness/grade-freshness.ts';
import { createBaseConversion, type RateSet, type RateView } from '../fx-rates/convert.ts';
import { owedSignSql, seriesCtes } from './series-sql.ts';

export interface SeriesBalance {
  connection_id: string;
  as_of: string;
  balance_cents: number;
  currency: string;
}

export interface JudgedSeries extends SeriesBalance {
  updated_at: string;
  account_type: AccountType;
  /** The sign of balances that means "owed"; null if it owes nothing. */
  owed_sign: number | null;
  reason: ExclusionReason | null;
}

interface CashSum<S> {
  currency: string;
  balance: bigint;
  members: readonly S[];
}

/** Cash per currency, never converted. The base currency comes first. */
export function sumCash<S extends SeriesBalance>(series: readonly S[], baseCurrency: string): CashSum<S>[] {
  const byCurrency = Map.groupBy(series, ({ currency }) => currency);
  return [...byCurrency]
    .map(([currency, members]) => ({ currency, balance: addBalances(members), members }))
    .sort((a, b) => rank(a.currency, baseCurrency).localeCompare(rank(b.currency, baseCurrency)));
}

function addBalances(series: readonly { balance_cents: number }[]): bigint {
  return series.reduce((total, { balance_cents }) => total + BigInt(balance_cents), 0n);
}

function rank(currency: string, base: string): string {
  return currency === base ? '' : currency;
}

export interface CashView extends RateView {
  companyId: string;
  now: number;
  zone: Zone;
  series: readonly JudgedSeries[];
}

export function toCashOnHand(view: CashView): CashOnHand {
  const counted = view.series
    .filter(({ reason }) => reason === null)
    .map((one) => ({ ...one, freshness: toSeries(one, view).freshness }));
  const sums = sumCash(counted, view.baseCurrency);
  const [first] = sums;
  return {
    object: 'cash_on_hand',
    company_id: view.companyId,
    as_of: view.today,
    headline: first ? { currency: first.currency, ...exactCentsOf('balance', first.balance) } : null,
    lines: sums.map((sum) => toLine(sum)),
    ...totalOf(view, counted),
    streams: view.series.filter(({ reason }) => reason === null).map((one) => toSeries(one, view)),
    excluded: view.series.flatMap(({ reason, ...one }) =>
      reason === null ? [] : [{ ...toSeries(one, view), reason, ...owedOf(one, reason) }],
    ),
    warnings: unassignedWarning(counted),
  };
}

function owedOf(one: Omit<JudgedSeries, 'reason'>, reason: ExclusionReason): { owed_cents?: number } {
  if (reason !== 'credit_card' && reason !== 'loan') return {};
  return { owed_cents: one.balance_cents === 0 ? 0 : one.balance_cents * (one.owed_sign ?? 1) };
}

function toSeries(one: Omit<JudgedSeries, 'reason'>, { now, zone }: CashView): CashSeries {
  const received = { kind: 'balance', last: Date.parse(one.updated_at), asOf: one.as_of } as const;
  return {
    connection_id: one.connection_id || null,
    currency: one.currency,
    balance_cents: one.balance_cents,
    as_of: one.as_of,
    received_at: toTimestamp(one.updated_at),
    freshness: gradeFreshness(received, now, zone).grade,
  };
}

type CountedSeries = SeriesBalance & Pick<CashSeries, 'freshness'> & Pick<JudgedSeries, 'account_type'>;

function toLine(
  { currency, balance, members }: CashSum<CountedSeries>,
  sumOf: (members: readonly CountedSeries[]) => bigint = addBalances,
): CashOnHandLine {
  const days = members.map(({ as_of }) => as_of).sort();
  const [oldest = '', newest = ''] = [days[0], days.at(-1)];
  const stale = members.filter(({ freshness }) => freshness === 'stale');
  return {
    currency,
    ...exactCentsOf('balance', balance),
    ...exactCentsOf('investment', sumOf(members.filter((one) => one.account_type === 'investment'))),
    streams: members.length,
    oldest_as_of: oldest,
    newest_as_of: newest,
    as_of_spread_days: daysBetween(oldest, newest),
    ...exactCentsOf('stale', sumOf(stale)),
    stale_streams: stale.length,
    freshness: worstGrade(members.map(({ freshness }) => freshness)),
  };
}

function totalOf(view: CashView, counted: readonly CountedSeries[]): Pick<CashOnHand, 'total' | 'rates_missing'> {
  const amounts = counted.map(({ balance_cents, currency }) => ({ amount: BigInt(balance_cents), currency }));
  const { conversion, missing } = createBaseConversion(view, amounts);
  if (conversion === undefined || counted.length === 0) return { total: null, rates_missing: missing };
  const { currency, parts, rates } = conversion;
  const sumOf = (members: readonly CountedSeries[]): bigint => {
    const converted = members.map((one) => conversion.convert(BigInt(one.balance_cents), one.currency));
    const sum = converted.reduce((a, b) => a + b, 0n);
    return roundHalfEven(rational(sum, parts));
  };
  const line = toLine({ currency, balance: sumOf(counted), members: counted }, sumOf);
  return { total: { ...line, rates }, rates_missing: [] };
}

/** A total posted without a connection, in addition to its parts, counts twice. */
function unassignedWarning(series: readonly SeriesBalance[]): Warning[] {
  const unassigned = series.some(({ connection_id }) => connection_id === '');
  if (!unassigned || series.length < 2) return [];
  return [
    {
      code: 'unassigned_alongside_connections',
      message:
        'Some balances name an account and others none. If those without an account are totals, the same cash counts twice.',
    },
  ];
}

interface Row {
  base_currency: string;
  timezone: string;
  today: string;
  series: JudgedSeries[];
  rates: RateSet | null;
}

const readSeries = statement(
  'read_cash_series',
  `WITH RECURSIVE ${seriesCtes}
   SELECT c.base_currency, c.timezone, c.today,
          (SELECT coalesce(json_agg(j ORDER BY connection_id), '[]') FROM (
             SELECT s.*, CASE WHEN s.account_type = s.reason THEN ${owedSignSql('s')} END AS owed_sign FROM judged s
           ) j) AS series,
          (SELECT json_build_object('base', f.base, 'as_of', f.as_of, 'rates', f.rates, 'source', f.source)
           FROM fx_rates f WHERE f.account_id = $2) AS rates
   FROM c`,
);

export const getCashOnHand: Verb<typeof operations.cash.onHand> = async (context, input) =>
  toCashOnHand(await readCash(context, input.company_id));

export async function readCash(context: Context, companyId: string): Promise<CashView & { zone: Zone }> {
  assertCompanyAccess(context, companyId);
  const now = context.clock.now();
  const [row] = await context.database.query<Row>(readSeries, [companyId, context.accountId, now.toISOString()]);
  if (!row) throw companyNotFound();
  return {
    companyId,
    baseCurrency: row.base_currency,
    today: row.today,
    now: now.getTime(),
    zone: openZone(row.timezone),
    series: row.series,
    rates: row.rates ?? undefined,
  };
}
