import type { SupersededSeries } from '@finhook/contracts';
import { dueUntil } from '../../../time/calendar.ts';
import { toTimestamp } from '../../../time/clock.ts';
import type { Context } from '../../../verbs/context.ts';
import type { CashView } from '../../cash/cash-on-hand.ts';
import { refreshRollup } from '../rollup/refresh-rollup.ts';
import type { MonthFlow } from './compute-burn.ts';
import type { FigureRules } from './figure-rules.ts';
import { valuesOf } from './flow-parameters.ts';
import { readCurrentSums, readSums } from './flows-sql.ts';
import type { LateSeries } from './late-series.ts';
import { coverageStart, type MonthWindow, monthOf } from './months.ts';
import { findRepeatedSeries, type RepeatedSeries } from './repeated-series.ts';
import type { SeriesActivity } from './silent-series.ts';

const REFRESHES = 3;
/** Unread events that a read sums itself; with more, it updates the stored sums first. */
const MAX_TAIL_EVENTS = 8;

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

interface KeyedFlowRow extends FlowRow {
  key: string;
  financing_in: string;
  counted_in: number;
  counted_out: number;
}

interface Row {
  usable: boolean;
  /** True if the sums were refreshed more than a day ago: they are refreshed again long before they are unusable. */
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
  keyed: KeyedFlowRow[] | null;
  windows: { month: string; from: string; to: string }[];
}

export interface Flows {
  flows: MonthFlow[];
  windows: MonthWindow[];
  coverageFrom: string | undefined;
  hasTransactions: boolean;
  arrivals: { connection_id: string; received_at: string }[];
  replaced: SupersededSeries[];
  /** The rules of the sums, as jsonb: older than those of the settings until a job applies these. */
  flowRules: string;
  /** Time since which `flowRules` are those of the settings; null while they are older, and without rules. */
  rulesAppliedAt: string | null;
  activity: SeriesActivity[];
  late: LateSeries[];
  repeated: RepeatedSeries[];
  keyed: KeyedFlow[];
}

/** The sums of a month and currency by `key`: a category or a connection, '' for none. */
interface KeyedFlow {
  key: string;
  flow: MonthFlow;
  /** The financing in `flow.excludedIn`. */
  financingIn: bigint;
  counted: { in: number; out: number };
}

export interface FlowOptions {
  seeksRepeated?: boolean | undefined;
  /** `connectionId` limits the sums to those of one connection. */
  keyedBy?: { by: 'category' | 'connection'; currency: string; connectionId: string | undefined } | undefined;
}

/** Reads the stored sums plus later ingests; stores them first if there are many. */
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
  const values = valuesOf({
    company: companyId,
    account: context.accountId,
    zone: zone.name,
    now: new Date(now).toISOString(),
    firstMonth: `${fromMonth}-01`,
    lastMonth: `${monthOf(today)}-01`,
    transferCategories: rules.transferCategories,
    financingCategories: rules.financingCategories,
    excluded: rules.excludedConnections,
    due: new Date(dueUntil(zone, today)).toISOString(),
    seeksRepeated,
    uncounted: rules.uncountedConnections,
    keyedBy: keyedBy?.by,
    keyCurrency: keyedBy?.currency,
    keyConnection: keyedBy?.connectionId,
    maxTailEvents: MAX_TAIL_EVENTS,
  });
  const [row] = await context.database.query<Row>(all ? readCurrentSums : readSums, values);
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
