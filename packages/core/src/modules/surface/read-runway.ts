import type { Burn as BurnRecord, CashOnHand, Reconciliation, Runway } from '@finhook/contracts';
import type { Context } from '../../kernel/context.ts';
import { type CashView, readCash, sumCash, toCashOnHand } from '../cash/index.ts';
import { type Burn, computeBurn, type MonthFlow, toBurnLine } from './compute-burn.ts';
import { computeRunway, type FallbackBurn, headlineOf } from './compute-runway.ts';
import { excludeTransfers } from './exclude-transfers.ts';
import { BURN_MONTHS, burnWindow, monthWindows } from './months.ts';
import { readFallbacks } from './read-fallback.ts';
import { type Flows, monthsBack, readFlows } from './read-flows.ts';
import { readReconciliations } from './read-reconciliations.ts';
import { readMonthTransfers } from './read-transfers.ts';
import { readSettings, type SurfaceRules, toRules } from './surface-rules.ts';

/** A company's flows of some months and what follows from them. */
export interface BurnView {
  cash: CashView;
  rules: SurfaceRules;
  flows: MonthFlow[];
  coverageFrom: string | undefined;
  hasTransactions: boolean;
  arrivals: Flows['arrivals'];
  replaced: Flows['replaced'];
  window: string[];
  burns: Burn[];
}

/** Reads the current month and the `months` before it, and computes burn over the last three that are covered. */
export async function readBurn(context: Context, companyId: string, months = BURN_MONTHS): Promise<BurnView> {
  const cash = await readCash(context, companyId);
  const rules = toRules(await readSettings(context.database, context.accountId, companyId));
  const complete = Math.max(months, BURN_MONTHS);
  const { flows, ...known } = await readFlows(context, cash, rules, monthsBack(cash.today, complete));
  const counted = rules.excludeSuspectedTransfers
    ? await withoutTransfers(context, { cash, rules, flows, replaced: known.replaced }, complete)
    : flows;
  const window = burnWindow(cash.today, known.coverageFrom);
  return { ...known, cash, rules, flows: counted, window, burns: computeBurn(counted, window) };
}

async function withoutTransfers(
  context: Context,
  { cash, rules, flows, replaced }: Pick<BurnView, 'cash' | 'rules' | 'flows' | 'replaced'>,
  months: number,
): Promise<MonthFlow[]> {
  let counted = flows;
  for (const window of monthWindows(cash.now, cash.zone, months)) {
    const rows = await readMonthTransfers(context, { cash, replaced }, window);
    counted = excludeTransfers(counted, window.month, rows, rules);
  }
  return counted;
}

export function toBurnRecord({ cash, coverageFrom, window, burns, replaced }: BurnView): BurnRecord {
  return {
    object: 'burn',
    company_id: cash.companyId,
    as_of: cash.today,
    coverage_from: coverageFrom ?? null,
    window,
    lines: burns.map(toBurnLine),
    replaced,
  };
}

export interface RunwayView {
  cash: CashOnHand;
  runway: Runway;
  reconciliations: Reconciliation[];
}

/** Runway per currency that has cash or outflow; one that only has income has no line. */
export async function readRunway(context: Context, view: BurnView): Promise<RunwayView> {
  const { cash, window, hasTransactions, burns } = view;
  const onHand = toCashOnHand(cash);
  const reconciliations = await readReconciliations(context, cash.companyId);
  const fallbacks = window.length > 0 ? new Map<string, FallbackBurn>() : await readFallbacks(context, cash);
  const counted = cash.streams.filter(({ reason }) => reason === null);
  const sums = new Map(sumCash(counted, cash.baseCurrency).map(({ currency, balance }) => [currency, balance]));
  const spending = burns.filter(({ gross }) => gross.n > 0n).map(({ currency }) => currency);
  const currencies = [...new Set([...sums.keys(), ...spending])];
  const lines = currencies.map((currency) =>
    computeRunway({
      currency,
      cash: sums.get(currency),
      today: cash.today,
      window,
      hasTransactions,
      burn: burns.find((burn) => burn.currency === currency),
      fallback: fallbacks.get(currency),
      flags: {
        stale: onHand.lines.some((line) => line.currency === currency && line.stale_streams > 0),
        mixed_currency: currencies.length > 1,
        unexplained: reconciliations.some((item) => item.currency === currency && item.status === 'warn'),
      },
    }),
  );
  return {
    cash: onHand,
    reconciliations,
    runway: {
      object: 'runway',
      company_id: cash.companyId,
      as_of: cash.today,
      headline: headlineOf(lines, cash.baseCurrency),
      lines,
    },
  };
}
