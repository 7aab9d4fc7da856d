import type { MonthlyFlow, MonthlyLine, operations } from '@finhook/contracts';
import { exactCentsOf, type Rational, rational, roundHalfEven } from '../../../input/exact-arithmetic.ts';
import type { OutputOf } from '../../../verbs/verb.ts';
import type { ClosingCash } from '../../cash/closing-cash.ts';
import { createBaseConversion } from '../../fx-rates/convert.ts';
import { type BurnView, burnOver } from './classify-rows.ts';
import { computeBurn, type MonthFlow } from './compute-burn.ts';
import { runwayMonths } from './compute-runway.ts';
import { knownMonths } from './late-series.ts';
import { addMonths, BURN_MONTHS, burnWindow, type MonthWindow } from './months.ts';
import type { RunwayView } from './read-runway.ts';
import { toRunway } from './runway-lines.ts';
import { addFlows, countedMoney, excludedMoney, totalBurn } from './total-flows.ts';

type Monthly = OutputOf<typeof operations.financials.monthly>;

export const COMPARED_MONTHS = [1, 3, 6, 12];

interface ShownMonth {
  window: MonthWindow;
  flows: readonly MonthFlow[];
  closing: ClosingCash;
  known: readonly string[];
}

/** The known ones of the three months that end with a complete month; empty if not all three are covered. */
export function knownUpTo({ month, partial }: MonthWindow, view: BurnView): string[] {
  const candidates = burnWindow(addMonths(month, 1), view.coverageFrom);
  return partial || candidates.length < BURN_MONTHS ? [] : knownMonths(candidates, view);
}

export function linesOf({ flows }: BurnView, { window, flows: own, closing, known }: ShownMonth): MonthlyLine[] {
  const burns = computeBurn(flows, known);
  const currencies = new Set([...own, ...closing.lines].map(({ currency }) => currency));
  return [...currencies].sort().map((currency) => {
    const flow = own.find((one) => one.currency === currency) ?? emptyFlow(window.month, currency);
    const cash = closing.lines.find((one) => one.currency === currency)?.amount;
    const burn = burns.find((one) => one.currency === currency)?.net ?? rational(0n);
    return toMonthlyLine({ flow, cash, burn: known.length > 0 ? burn : undefined });
  });
}

type MonthlyTotal = Monthly['months'][number]['total'];

/** The totals of the months; null for all of them if a rate is missing, or if no month has flows or cash. */
export function totalsOf(
  { cash: view, flows }: BurnView,
  shown: readonly ShownMonth[],
): { of(month: ShownMonth): MonthlyTotal; missing: string[] } {
  const needed = new Set(shown.flatMap(({ window, known }) => [window.month, ...known]));
  const inReach = flows.filter(({ month }) => needed.has(month));
  const counted = [...inReach.flatMap(countedMoney), ...shown.flatMap(({ closing }) => closing.lines)];
  const { conversion, missing } = createBaseConversion(view, counted);
  const isEmpty = shown.every((one) => one.flows.length === 0 && one.closing.lines.length === 0);
  if (conversion === undefined || isEmpty) return { of: () => null, missing };
  const leftOut = shown.flatMap((one) => one.flows.flatMap(excludedMoney));
  const all = createBaseConversion(view, [...counted, ...leftOut]).conversion;
  const used = all ?? conversion;
  const { currency, parts, rates } = used;
  return {
    of({ window, flows: own, closing, known }) {
      const [flow = emptyFlow(window.month, currency)] = addFlows(own, used);
      const cash = closing.lines.reduce((sum, one) => sum + used.convert(one.amount, one.currency), 0n);
      const burn = totalBurn(flows, known, used)?.net ?? rational(0n);
      const line = toMonthlyLine({
        flow: all ? flow : { ...flow, excludedIn: 0n, excludedOut: 0n },
        parts,
        cash: closing.lines.length > 0 && closing.isComplete ? cash : undefined,
        burn: known.length > 0 ? burn : undefined,
      });
      return { ...line, ...(all ? {} : { excluded_in_cents: null, excluded_out_cents: null }), rates };
    },
    missing,
  };
}

function emptyFlow(month: string, currency: string): MonthFlow {
  const none = { moneyIn: 0n, moneyOut: 0n, excludedIn: 0n, excludedOut: 0n, transferIn: 0n, transferOut: 0n };
  return { month, currency, ...none, transactions: 0 };
}

export function comparedWindows({ runway, sources }: RunwayView): Monthly['windows'] {
  return COMPARED_MONTHS.flatMap((months) => {
    const view = burnOver(sources.view, months);
    if (view.window.length < months) return [];
    const over = toRunway({ ...sources, view, fallbacks: new Map() }).runway;
    const line = runway.total ? over.total : over.lines.find(({ currency }) => currency === runway.headline?.currency);
    if (!line) return [];
    const { net_burn_cents, net_burn_string, runway_months } = line;
    return [{ months, net_burn_cents, ...(net_burn_string && { net_burn_string }), runway_months }];
  });
}

interface LineInput {
  flow: MonthFlow;
  parts?: bigint;
  cash: bigint | undefined;
  burn: Rational | undefined;
}

function toMonthlyLine({ flow, parts = 1n, cash, burn }: LineInput): MonthlyLine {
  const closing = cash === undefined ? undefined : rational(cash, parts);
  return {
    ...toMonthlyFlow(flow, parts),
    ...exactCentsOf('closing_cash', closing && roundHalfEven(closing)),
    ...exactCentsOf('net_burn_3m', burn && roundHalfEven(burn)),
    runway_months: burn === undefined ? null : runwayMonths(closing, burn),
  };
}

/** `flow` is in minor units, or in `parts` of them. */
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
