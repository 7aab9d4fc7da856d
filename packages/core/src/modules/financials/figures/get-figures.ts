import type { operations } from '@finhook/contracts';
import type { Verb } from '../../../verbs/verb.ts';
import { readClosingCash } from '../../cash/closing-cash.ts';
import { COMPARED_MONTHS, comparedWindows, knownUpTo, linesOf, totalsOf } from './month-lines.ts';
import { BURN_MONTHS, endOfMonth, type MonthWindow, monthOf } from './months.ts';
import { readArrivals } from './read-arrivals.ts';
import { readFirstDays } from './read-first-days.ts';
import { readFlows } from './read-flows.ts';
import { readBurn, readRunway, readScope, toBurnRecord } from './read-runway.ts';

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
  // The oldest month that is shown has a mean of three.
  const months = Math.max(input.months + BURN_MONTHS - 2, ...COMPARED_MONTHS);
  const view = await readBurn(context, input.company_id, { months });
  const { cash, coverageFrom } = view;
  const windows = view.windows.slice(-input.months);
  const dayOf = ({ month, partial }: MonthWindow): string => (partial ? cash.today : endOfMonth(month));
  const firstDays = await readFirstDays(context, cash, view.rules.excludedConnections);
  const closings = await readClosingCash(context, cash, windows.map(dayOf), firstDays);
  const shown = windows.map((window) => ({
    window,
    flows: view.flows.filter(({ month }) => month === window.month),
    closing: closings.get(dayOf(window)) ?? { lines: [], isComplete: true },
    known: knownUpTo(window, view),
  }));
  const totals = totalsOf(view, shown);
  return {
    object: 'monthly_flows',
    company_id: cash.companyId,
    timezone: cash.zone.name,
    months: shown.map((one) => ({
      ...one.window,
      covered: coverageFrom !== undefined && one.window.month >= coverageFrom,
      flows: linesOf(view, one),
      total: totals.of(one),
    })),
    rates_missing: totals.missing,
    rules_applied_at: view.rulesAppliedAt,
    windows: comparedWindows(await readRunway(context, view)),
  };
};
