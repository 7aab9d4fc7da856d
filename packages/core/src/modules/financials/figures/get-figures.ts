import type { MonthlyFlow, operations } from '@finhook/contracts';
import { exactCentsOf } from '../../../kernel/exact-arithmetic.ts';
import type { Verb } from '../../../kernel/verb.ts';
import type { MonthFlow } from './compute-burn.ts';
import { readArrivals } from './read-arrivals.ts';
import { readBurn, readRunway, toBurnRecord } from './read-runway.ts';

export const getRunway: Verb<typeof operations.financials.runway> = async (context, input) => {
  const { company_id, months: basis } = input;
  const { runway } = await readRunway(context, await readBurn(context, company_id, { basis }));
  return runway;
};

export const getBurn: Verb<typeof operations.financials.burn> = async (context, input) =>
  toBurnRecord(await readBurn(context, input.company_id, { basis: input.months }));

export const getFreshness: Verb<typeof operations.financials.freshness> = async (context, input) =>
  (await readArrivals(context, await readBurn(context, input.company_id))).freshness;

export const getMonthly: Verb<typeof operations.financials.monthly> = async (context, input) => {
  const { cash, flows, windows, coverageFrom } = await readBurn(context, input.company_id, {
    months: input.months - 1,
  });
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
};

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
