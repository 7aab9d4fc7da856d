import type { SupersededSeries } from '@finhook/contracts';
import { statement } from '../../../db/queryable.ts';
import { dueUntil, firstInstantSql } from '../../../time/calendar.ts';
import { toTimestamp } from '../../../time/clock.ts';
import type { Context } from '../../../verbs/context.ts';
import type { CashView } from '../../cash/cash-on-hand.ts';
import { currentSumsCtes, noGroupsCte } from '../rollup/current-sums-sql.ts';
import { appliedRules, decidedClassSql, flowRulesCte, rulesAppliedAtSql } from '../rollup/flow-class-sql.ts';
import { refreshRollup } from '../rollup/refresh-rollup.ts';
import {
  hasDaysSql,
  isUpdate,
  monthGroups,
  receiptGroups,
  tailCte,
  tailGroupsCte,
  usable,
} from '../rollup/rollup-sql.ts';
import { movedRows, supersededCtes, supersededList } from '../rollup/superseded-sql.ts';
import type { MonthFlow } from './compute-burn.ts';
import { type FigureRules, normalizedCategorySql } from './figure-rules.ts';
import type { LateSeries } from './late-series.ts';
import { addMonths, BURN_MONTHS, coverageStart, type MonthWindow, monthOf } from './months.ts';
import { findRepeatedSeries, type RepeatedSeries } from './repeated-series.ts';
import type { SeriesActivity } from './silent-series.ts';

/** Limit of characters of unread event bodies that a read sums itself; above it the read updates the stored sums. */
const MAX_TAIL = 128 * 1024;
const MAX_TAIL_EVENTS = 8;
const REFRESHES = 3;
/** Transactions of a month that two series may have in common without being one account. */
const LEAST_OF_MONTH = 3;

interface FlowRow {
  month: string;
  currency: string;
  money_in: string;
  money_out: string;
  excluded_in: string;
  excluded_out: string;
  transfer_in: string;
  transfer_out: string;
  transactions: number;
}

interface KeyedRow extends FlowRow {
  key: string;
  financing_in: string;
  counted_in: number;
  counted_out: number;
}

interface Row {
  usable: boolean;
  /** True if the sums must be marked as used, before they are too old to be updated. */
  aging: boolean;
  first_day: string | null;
  history_from: string | null;
  arrivals: { connection_id: string; received_at: string }[] | null;
  flows: FlowRow[] | null;
  replaced: SupersededSeries[] | null;
  activity: (SeriesActivity & { sums: string[] | null })[] | null;
  flow_rules: string | null;
  rules_applied_at: string | null;
  late: (FlowRow & { connection_id: string; first_day: string; history_from: string | null })[] | null;
  keyed: KeyedRow[] | null;
  windows: { month: string; from: string; to: string }[];
}

const usableSums = `
  s AS MATERIALIZED (
    SELECT ${usable} AS usable, refreshed_at < $4::timestamptz - interval '1 day' AS aging
    FROM transaction_rollup WHERE company_id = $1 AND account_id = $2
  )`;

// The sums must be usable and newer rows few; then these are added. What changed rows were before is in the stored sums only:
// those are updated first, unless changes come faster than they can be.
const outlook = `
  outlook AS MATERIALIZED (
    SELECT count(*) <= $12::int AND coalesce(sum(octet_length(body)), 0) <= $11::bigint
      AND count(*) FILTER (WHERE ${isUpdate}) = 0 AS fits FROM tail
  ),
  ${usableSums}`;

// The sums of a month already contain future transactions; they are subtracted until they are due. The order keeps a
// plan made with few rows from reading all of them by another index.
const futureRows = `
  SELECT date_trunc('month', posted_at AT TIME ZONE $3)::date AS month, connection_id, currency,
         ${normalizedCategorySql('category')} AS category, ${decidedClassSql('t')} AS flow_class,
         -greatest(amount_cents, 0)::numeric AS money_in, least(amount_cents, 0)::numeric AS money_out, -1 AS transactions,
         -(amount_cents > 0)::int AS transactions_in, -(amount_cents < 0)::int AS transactions_out
  FROM bank_transaction t
  WHERE company_id = $1 AND account_id = $2 AND posted_at >= $10::timestamptz AND voided_at IS NULL
    AND posted_at < ${firstInstantSql("$6::date + interval '1 month'", '$3')}
  ORDER BY posted_at`;

// The series and currencies with rows in the last months: enough months to see gaps in the window. The search of repeated
// series goes back a year: `sums` has a text for each month of a currency with enough rows to compare.
const recent = `month >= $6::date - interval '${2 * BURN_MONTHS} months'`;
const activityFrom = `$6::date - CASE WHEN $13::boolean THEN interval '1 year' ELSE interval '${2 * BURN_MONTHS} months' END`;
const activity = `
  SELECT connection_id, coalesce(json_agg(DISTINCT currency) FILTER (WHERE ${recent}), '[]') AS currencies,
         coalesce(json_agg(DISTINCT to_char(month, 'YYYY-MM')) FILTER (WHERE ${recent}), '[]') AS months,
         to_char(min(last_month), 'YYYY-MM') AS ended, connection_id IN (SELECT id FROM successor) AS succeeds,
         json_agg(DISTINCT concat_ws(' ', month, currency, money_in, money_out, transactions))
           FILTER (WHERE $13::boolean AND transactions >= ${LEAST_OF_MONTH}) AS sums
  FROM (
    SELECT a.connection_id, a.currency, a.month, sum(a.money_in) AS money_in, sum(a.money_out) AS money_out,
           sum(a.transactions) AS transactions, e.month AS last_month
    FROM (
      SELECT connection_id, currency, month, money_in, money_out, transactions FROM transaction_month
      WHERE company_id = $1 AND account_id = $2 AND month BETWEEN ${activityFrom} AND $6::date
      UNION ALL
      SELECT connection_id, currency, date_trunc('month', day)::date, money_in, money_out, transactions FROM g
      WHERE day >= ${activityFrom} AND day < $6::date + interval '1 month'
    ) a LEFT JOIN ended e ON e.connection_id = a.connection_id
    GROUP BY a.connection_id, a.currency, a.month, e.month
  ) judged
  WHERE connection_id <> ALL ($9::text[]) GROUP BY 1 ORDER BY 1`;

// The database computes the starts of months because it also assigns rows to them: its time zone data may differ from
// Node's.
const windows = `
  SELECT to_char(month, 'YYYY-MM') AS month, ${firstInstantSql('month', '$3')} AS from,
         ${firstInstantSql("month + interval '1 month'", '$3')} AS to
  FROM generate_series($5::timestamp, $6::timestamp, interval '1 month') AS month ORDER BY month`;

// Excluded accounts, those whose rows don't count, and unfinished backfills don't limit the history.
const leftOut = `
  left_out AS MATERIALIZED (SELECT $9::text[] || $14::text[] || ARRAY(SELECT connection_id FROM waiting) AS ids)`;
const isCounted = (connectionId: string): string => `${connectionId} <> ALL ((SELECT ids FROM left_out)::text[])`;

const flowSums = `
  to_char(month, 'YYYY-MM') AS month, currency,
  coalesce(sum(money_in) FILTER (WHERE NOT no_in), 0)::text AS money_in,
  coalesce(sum(money_out) FILTER (WHERE NOT no_out), 0)::text AS money_out,
  coalesce(sum(money_in) FILTER (WHERE no_in), 0)::text AS excluded_in,
  coalesce(sum(money_out) FILTER (WHERE no_out), 0)::text AS excluded_out,
  coalesce(sum(money_in) FILTER (WHERE is_transfer), 0)::text AS transfer_in,
  coalesce(sum(money_out) FILTER (WHERE is_transfer), 0)::text AS transfer_out,
  sum(transactions)::int AS transactions`;

// The sums of each series that replaces none and whose history does not begin before the first month.
const lateSeries = `
  SELECT j.connection_id, f.first_day, f.history_from, ${flowSums}
  FROM (
    SELECT i.connection_id, least(
        (SELECT d.day FROM transaction_day d WHERE d.company_id = $1 AND d.connection_id = i.connection_id
         ORDER BY d.day LIMIT 1),
        (SELECT min(g.day) FROM g WHERE g.connection_id = i.connection_id)
      ) AS first_day,
      (SELECT k.history_from FROM bank_connection k WHERE k.company_id = $1 AND k.id = i.connection_id) AS history_from
    FROM (SELECT DISTINCT connection_id FROM judged WHERE NOT no_out AND money_out > 0) i
    WHERE i.connection_id NOT IN (SELECT id FROM successor)
  ) f JOIN judged j ON j.connection_id = f.connection_id
  WHERE coalesce(f.history_from, f.first_day) >= $5::date
  GROUP BY j.connection_id, f.first_day, f.history_from, j.month, j.currency HAVING sum(transactions) > 0`;

// The sums of one currency by category or connection, with the transactions of what counts on each side.
const keyedSums = `
  SELECT key, ${flowSums},
         coalesce(sum(money_in) FILTER (WHERE no_in AND NOT no_out), 0)::text AS financing_in,
         coalesce(sum(transactions_in) FILTER (WHERE NOT no_in), 0)::int AS counted_in,
         coalesce(sum(transactions_out) FILTER (WHERE NOT no_out), 0)::int AS counted_out
  FROM (SELECT *, CASE $15 WHEN 'category' THEN category ELSE connection_id END AS key FROM judged WHERE currency = $16) k
  GROUP BY key, month, currency HAVING sum(transactions) > 0 ORDER BY key, month`;

// A connection whose rows are all void has none.
const hasRows = (connectionId: string): string => `(${hasDaysSql(connectionId)}
  OR EXISTS (SELECT FROM g WHERE g.connection_id = ${connectionId}))`;

// The months before a successor are known from the connection that it supersedes.
const isFirst = `NOT EXISTS (
  SELECT FROM bank_connection p
  WHERE p.company_id = $1 AND p.id = k.replaces AND p.transactions_at IS NOT NULL AND ${isCounted('p.id')}
    AND ${hasRows('p.id')})`;

/** The sums as JSON, beside `outlook`, `flow_rule` and `g`; `arrivals` are those that the stored sums don't have. */
const sumsSql = (ctes: string, arrivals: string): string => `WITH RECURSIVE ${ctes}, ${supersededCtes}, ${leftOut},
   everything AS (
     SELECT month, connection_id, currency, category, flow_class, money_in, money_out, transactions, transactions_in, transactions_out,
            false AS gone
     FROM transaction_month
     WHERE company_id = $1 AND account_id = $2 AND month BETWEEN $5::date AND $6::date
     UNION ALL
     SELECT t.*, false FROM (${monthGroups}) t WHERE month BETWEEN $5::date AND $6::date
     UNION ALL
     SELECT f.*, false FROM (${futureRows}) f
     UNION ALL
     ${movedRows}
   ),
   placed AS (
     SELECT e.*, e.gone OR coalesce(e.month > r.month, false) OR e.connection_id = ANY ($9::text[] || $14::text[]) AS no_stream
     FROM everything e LEFT JOIN replaced r ON r.connection_id = e.connection_id
   ),
   judged AS (
     SELECT connection_id, month, currency, category, money_in, money_out, transactions, transactions_in, transactions_out,
            class = 'transfer' AND NOT no_stream AS is_transfer,
            class IN ('transfer', 'excluded') OR no_stream AS no_out,
            class IN ('transfer', 'excluded', 'financing') OR no_stream AS no_in
     FROM (
       SELECT *, CASE WHEN flow_class <> '' THEN flow_class WHEN category = ANY ($7::text[]) THEN 'transfer'
                   WHEN category = ANY ($8::text[]) THEN 'financing' ELSE 'counted' END AS class
       FROM placed
     ) c
   ),
   flows AS (
     SELECT ${flowSums} FROM judged GROUP BY 1, 2 HAVING sum(transactions) > 0 ORDER BY 1, 2
   )
   SELECT coalesce((SELECT usable FROM s), false) AS usable, (SELECT aging FROM s) AS aging,
          (SELECT (posted_at AT TIME ZONE $3)::date FROM bank_transaction
           WHERE company_id = $1 AND account_id = $2 AND posted_at < $10::timestamptz AND voided_at IS NULL
             AND ${isCounted('connection_id')}
           ORDER BY posted_at LIMIT 1) AS first_day,
          CASE WHEN outlook.fits THEN (
            SELECT CASE WHEN count(*) = count(history_from) THEN max(history_from) FILTER (WHERE ${isFirst}) END
            FROM bank_connection k WHERE company_id = $1 AND transactions_at IS NOT NULL AND ${isCounted('id')}
              AND ${hasRows('k.id')}
              AND NOT EXISTS (SELECT FROM transaction_receipt r
                              WHERE r.company_id = $1 AND ${isCounted('r.connection_id')} AND ${hasRows('r.connection_id')})
              AND NOT EXISTS (SELECT FROM g
                              WHERE NOT starts_with(g.connection_id, 'conn_') AND ${isCounted('g.connection_id')})
          ) END AS history_from,
          CASE WHEN outlook.fits THEN (SELECT json_agg(a) FROM (${arrivals}) a) END AS arrivals,
          CASE WHEN outlook.fits THEN (SELECT coalesce(json_agg(flows), '[]') FROM flows) END AS flows,
          CASE WHEN outlook.fits THEN (SELECT json_agg(x) FROM (${supersededList}) x) END AS replaced,
          CASE WHEN outlook.fits THEN (SELECT json_agg(y) FROM (${activity}) y) END AS activity,
          CASE WHEN outlook.fits THEN (SELECT json_agg(l) FROM (${lateSeries}) l) END AS late,
          CASE WHEN outlook.fits AND $15::text IS NOT NULL THEN (SELECT json_agg(k) FROM (${keyedSums}) k) END AS keyed,
          ${appliedRules}::text AS flow_rules, ${rulesAppliedAtSql} AS rules_applied_at,
          (SELECT json_agg(z) FROM (${windows}) z) AS windows
   FROM outlook`;

const readSums = statement(
  'read_monthly_flows',
  sumsSql(
    `${tailCte('LIMIT $12::int + 1')}, ${outlook}, ${flowRulesCte(appliedRules)}, ${tailGroupsCte('$3', decidedClassSql('r'))}`,
    receiptGroups,
  ),
);

// The last attempt: the changes are added to what the statement reads of the sums.
const readCurrentSums = statement(
  'read_current_monthly_flows',
  `WITH ${currentSumsCtes}
   SELECT * FROM (${sumsSql(`outlook AS (SELECT $12::int >= 0 AND $11::bigint >= 0 AS fits), ${usableSums}, ${noGroupsCte}`, 'SELECT * FROM unread_receipt')}) q`,
);

export interface Flows {
  flows: MonthFlow[];
  windows: MonthWindow[];
  coverageFrom: string | undefined;
  hasTransactions: boolean;
  /** Arrivals of series without a registered connection that the stored sums don't contain yet. */
  arrivals: { connection_id: string; received_at: string }[];
  replaced: SupersededSeries[];
  /** The rules that the sums were made with, as jsonb: those of the settings, or older ones until a job applies these. */
  flowRules: string;
  /** Since when they are those of the settings; null while they are older, and without rules. */
  rulesAppliedAt: string | null;
  activity: SeriesActivity[];
  late: LateSeries[];
  repeated: RepeatedSeries[];
  /** By key, then month; empty unless they were asked for. */
  keyed: KeyedFlow[];
}

/** The sums of a month of one currency that have a key, a category or a connection: '' for none. */
interface KeyedFlow {
  key: string;
  flow: MonthFlow;
  /** The part of what is excluded that is financing. */
  financingIn: bigint;
  /** Transactions of money in, and of money out, in the sums that count. */
  counted: { in: number; out: number };
}

export interface FlowOptions {
  seeksRepeated?: boolean | undefined;
  /** Reads `keyed` too. */
  keyedBy?: { by: 'category' | 'connection'; currency: string } | undefined;
}

/**
 * Monthly sums of a company's transactions from `fromMonth` to the current month, exact at this moment: the stored sums
 * plus later ingests. Updates the stored sums first if there are many.
 */
export async function readFlows(
  context: Context,
  cash: CashView,
  rules: FigureRules,
  fromMonth: string,
  { seeksRepeated = false, keyedBy }: FlowOptions = {},
): Promise<Flows> {
  const company = { companyId: cash.companyId, timezone: cash.zone.name };
  for (let attempt = 0; ; attempt++) {
    const isLast = attempt === REFRESHES;
    const row = await read(context, cash, rules, fromMonth, { all: isLast, seeksRepeated, keyedBy });
    if (row.usable && row.flows !== null) {
      if (row.aging) await refreshRollup(context, company);
      const repeated = seeksRepeated
        ? await findRepeatedSeries(context, company, cash.today, row.activity ?? [], rules.distinctConnections)
        : [];
      return { ...toFlows(row, monthOf(cash.today)), repeated };
    }
    if (isLast) throw new Error('The sums of transactions could not be brought up to date.');
    await refreshRollup(context, company);
  }
}

async function read(
  context: Context,
  { companyId, today, now, zone }: CashView,
  rules: FigureRules,
  fromMonth: string,
  { all, seeksRepeated, keyedBy }: FlowOptions & { all: boolean },
): Promise<Row> {
  const [row] = await context.database.query<Row>(all ? readCurrentSums : readSums, [
    companyId,
    context.accountId,
    zone.name,
    new Date(now).toISOString(),
    `${fromMonth}-01`,
    `${monthOf(today)}-01`,
    rules.transferCategories,
    rules.financingCategories,
    rules.excludedConnections,
    new Date(dueUntil(zone, today)).toISOString(),
    MAX_TAIL,
    MAX_TAIL_EVENTS,
    seeksRepeated,
    rules.uncountedConnections,
    keyedBy?.by,
    keyedBy?.currency,
  ]);
  if (!row) throw new Error('The sums of transactions were not read.');
  return row;
}

function toFlows(row: Row, currentMonth: string): Omit<Flows, 'repeated'> {
  const known = { firstDay: row.first_day ?? undefined, historyFrom: row.history_from ?? undefined };
  return {
    coverageFrom: coverageStart(known),
    hasTransactions: row.first_day !== null,
    arrivals: row.arrivals ?? [],
    replaced: row.replaced ?? [],
    flowRules: row.flow_rules ?? '[]',
    rulesAppliedAt: row.rules_applied_at && toTimestamp(row.rules_applied_at),
    activity: (row.activity ?? []).filter(({ months }) => months.length > 0),
    windows: row.windows.map(({ month, from, to }) => ({
      month,
      from: toTimestamp(from),
      to: toTimestamp(to),
      partial: month === currentMonth,
    })),
    flows: (row.flows ?? []).map(toMonthFlow),
    keyed: (row.keyed ?? []).map((one) => ({
      key: one.key,
      flow: toMonthFlow(one),
      financingIn: BigInt(one.financing_in),
      counted: { in: one.counted_in, out: one.counted_out },
    })),
    late: [...Map.groupBy(row.late ?? [], (one) => one.connection_id)].map(([connectionId, rows]) => ({
      connectionId,
      firstMonth: monthOf(rows[0]?.first_day ?? ''),
      knownFrom: coverageStart({ firstDay: rows[0]?.first_day, historyFrom: rows[0]?.history_from ?? undefined }),
      flows: rows.map(toMonthFlow),
    })),
  };
}

function toMonthFlow(row: FlowRow): MonthFlow {
  return {
    month: row.month,
    currency: row.currency,
    moneyIn: BigInt(row.money_in),
    moneyOut: BigInt(row.money_out),
    excludedIn: BigInt(row.excluded_in),
    excludedOut: BigInt(row.excluded_out),
    transferIn: BigInt(row.transfer_in),
    transferOut: BigInt(row.transfer_out),
    transactions: row.transactions,
  };
}

/** The month `count` months before the current one. */
export function monthsBack(today: string, count: number): string {
  return addMonths(monthOf(today), -count);
}
