import type { MonthlyFlow, operations } from '@finhook/contracts';
import { exactCentsOf, rational, roundHalfEven } from '../../../kernel/exact-arithmetic.ts';
import type { OutputOf, Verb } from '../../../kernel/verb.ts';
import type { RateView } from '../../fx-rates/convert.ts';
import type { MonthFlow } from './compute-burn.ts';
import { monthOf } from './months.ts';
import { readArrivals } from './read-arrivals.ts';
import { readFlows } from './read-flows.ts';
import { readBurn, readRunway, readScope, toBurnRecord } from './read-runway.ts';
import { addFlows, openTotalOfAll, openTotalOfFlows } from './total-flows.ts';

export const getRunway: Verb<typeof operations.financials.runway> = async (context, input) => {
  const { company_id, months: basis } = input;
  const { runway } = await readRunway(context, await readBurn(context, company_id, { basis }));
  return runway;
};

export const getBurn: Verb<typeof operations.financials.burn> = async (context, input) =>
  toBurnRecord(await readBurn(context, input.company_id, { basis: input.months }));

export const getFreshness: Verb<typeof operations.financials.freshness> = async (context, input) => {
  const { cash, rules } = await readScope(context, input.company_id);
  const { arrivals } = await readFlows(context, cash, rules, monthOf(cash.today));
  return (await readArrivals(context, { cash, rules, arrivals })).freshness;
};

export const getMonthly: Verb<typeof operations.financials.monthly> = async (context, input) => {
  const { cash, flows, windows, coverageFrom } = await readBurn(context, input.company_id, {
    months: input.months - 1,
  });
  const shown = windows.slice(-input.months);
  const byMonth = Map.groupBy(flows, ({ month }) => month);
  const totals = totalsOf(
    cash,
    shown.flatMap(({ month }) => byMonth.get(month) ?? []),
  );
  return {
    object: 'monthly_flows',
    company_id: cash.companyId,
    timezone: cash.zone.name,
    months: shown.map((window) => ({
      ...window,
      covered: coverageFrom !== undefined && window.month >= coverageFrom,
      flows: (byMonth.get(window.month) ?? []).map((flow) => toMonthlyFlow(flow)),
      total: totals.of(window.month),
    })),
    rates_missing: totals.missing,
  };
};

type MonthlyTotal = OutputOf<typeof operations.financials.monthly>['months'][number]['total'];

/** The total of each of the months that are shown; null for all of them if a rate is missing, and without flows. */
function totalsOf(view: RateView, flows: readonly MonthFlow[]): { of(month: string): MonthlyTotal; missing: string[] } {
  const all = openTotalOfAll(view, flows).conversion;
  const { conversion, missing } = openTotalOfFlows(view, flows);
  if (conversion === undefined || flows.length === 0) return { of: () => null, missing };
  const used = all ?? conversion;
  const added = new Map(addFlows(flows, used).map((flow) => [flow.month, flow]));
  return {
    of(month) {
      const flow = added.get(month) ?? emptyFlow(month, used.currency);
      if (all) return { ...toMonthlyFlow(flow, used.parts), rates: used.rates };
      const counted = toMonthlyFlow({ ...flow, excludedIn: 0n, excludedOut: 0n }, used.parts);
      return { ...counted, excluded_in_cents: null, excluded_out_cents: null, rates: used.rates };
    },
    missing,
  };
}

function emptyFlow(month: string, currency: string): MonthFlow {
  const none = { moneyIn: 0n, moneyOut: 0n, excludedIn: 0n, excludedOut: 0n, transferIn: 0n, transferOut: 0n };
  return { month, currency, ...none, transactions: 0 };
}

/** The flow is in minor units, or in `parts` of them. */
export function toMonthlyFlow(flow: MonthFlow, parts = 1n): MonthlyFlow {
  const cents = (value: bigint): bigint => roundHalfEven(rational(value, parts));
  return {
    currency: flow.currency,
    ...exactCentsOf('money_in', cents(flow.moneyIn)),
    ...exactCentsOf('money_out', cents(flow.moneyOut)),
    ...exactCentsOf('net', cents(flow.moneyIn - flow.moneyOut)),
    ...exactCentsOf('excluded_in', cents(flow.excludedIn)),
    ...exactCentsOf('excluded_out', cents(flow.excludedOut)),
    transactions: flow.transactions,
  };
}
