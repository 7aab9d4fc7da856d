import type { MonthlyFlow, operations } from '@finhook/contracts';
import type { Context } from '../../../kernel/context.ts';
import { exactCentsOf } from '../../../kernel/exact-arithmetic.ts';
import type { InputOf, OutputOf } from '../../../kernel/verb.ts';
import type { MonthFlow } from './compute-burn.ts';
import { readArrivals } from './read-arrivals.ts';
import { readBurn, readRunway, toBurnRecord } from './read-runway.ts';

type RunwayOp = typeof operations.financials.runway;
type BurnOp = typeof operations.financials.burn;
type FreshnessOp = typeof operations.financials.freshness;

export async function getRunway(context: Context, input: InputOf<RunwayOp>): Promise<OutputOf<RunwayOp>> {
  const { runway } = await readRunway(context, await readBurn(context, input.company_id));
  return runway;
}

export async function getBurn(context: Context, input: InputOf<BurnOp>): Promise<OutputOf<BurnOp>> {
  return toBurnRecord(await readBurn(context, input.company_id));
}

export async function getFreshness(context: Context, input: InputOf<FreshnessOp>): Promise<OutputOf<FreshnessOp>> {
  return (await readArrivals(context, await readBurn(context, input.company_id))).freshness;
}

type Op = typeof operations.financials.monthly;

export async function getMonthly(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  const { cash, flows, windows, coverageFrom } = await readBurn(context, input.company_id, input.months - 1);
  const byMonth = Map.groupBy(flows, ({ month }) => month);
  return {
    object: 'monthly_flows',
    company_id: cash.companyId,
    timezone: cash.zone.name,
    months: windows.slice(-input.months).map((window) => ({
      ...window,
      covered: coverageFrom !== undefined && window.month >= coverageFrom,
      flows: (byMonth.get(window.month) ?? []).map(toMonthlyFlow),
    })),
  };
}

export function toMonthlyFlow(flow: MonthFlow): MonthlyFlow {
  return {
    currency: flow.currency,
    ...exactCentsOf('money_in', flow.moneyIn),
    ...exactCentsOf('money_out', flow.moneyOut),
    ...exactCentsOf('net', flow.moneyIn - flow.moneyOut),
    ...exactCentsOf('excluded_in', flow.excludedIn),
    ...exactCentsOf('excluded_out', flow.excludedOut),
    transactions: flow.transactions,
  };
}
