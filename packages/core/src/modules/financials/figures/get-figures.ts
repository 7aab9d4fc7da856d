import type { operations } from '@finhook/contracts';
import { statement } from '../../../db/queryable.ts';
import type { Context } from '../../../verbs/context.ts';
import type { Verb } from '../../../verbs/verb.ts';
import type { CashView } from '../../cash/cash-on-hand.ts';
import { readClosingCash } from '../../cash/closing-cash.ts';
import { firstDaySql, tailCte, tailGroupsCte } from '../rollup/rollup-sql.ts';
import { COMPARED_MONTHS, comparedWindows, knownUpTo, linesOf, totalsOf } from './month-lines.ts';
import { BURN_MONTHS, endOfMonth, type MonthWindow, monthOf } from './months.ts';
import { readArrivals } from './read-arrivals.ts';
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

const readDays = statement(
  'read_first_days',
  `WITH ${tailCte()}, ${tailGroupsCte('$3')}
   SELECT s.connection_id, ${firstDaySql('s.connection_id')}::text AS day
   FROM (
     SELECT unnest($4::text[]) AS connection_id
     UNION SELECT id FROM bank_connection WHERE company_id = $1 AND account_id = $2
   ) s WHERE s.connection_id <> ALL ($5::text[])`,
);

/** Local days of the first transactions. Call it after the sums are updated. */
async function readFirstDays(
  context: Context,
  { companyId, zone, series }: CashView,
  excludedConnections: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const ids = series.map(({ connection_id }) => connection_id);
  const values = [companyId, context.accountId, zone.name, ids, excludedConnections];
  const rows = await context.database.query<{ connection_id: string; day: string | null }>(readDays, values);
  return new Map(rows.flatMap(({ connection_id, day }) => (day === null ? [] : [[connection_id, day]])));
}
