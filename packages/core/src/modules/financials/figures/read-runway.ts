import type { Burn as BurnRecord, CashOnHand, Reconciliation, Runway } from '@finhook/contracts';
import type { Context } from '../../../kernel/context.ts';
import { readCash, sumCash, toCashOnHand } from '../../cash/cash-on-hand.ts';
import type { BurnView } from './burn-view.ts';
import { computeBurn, toBurnLine } from './compute-burn.ts';
import { computeRunway, type FallbackBurn, headlineOf, type RunwayInput } from './compute-runway.ts';
import { countRows } from './count-rows.ts';
import { readFallbacks } from './fallback.ts';
import { readSettings, toRules } from './figure-rules.ts';
import { readLargeInflows } from './large-inflows.ts';
import { knownWindow } from './late-series.ts';
import { leaveOut } from './leave-out.ts';
import { addMonths, BURN_MONTHS, burnWindow, monthOf } from './months.ts';
import { type Arrivals, readArrivals } from './read-arrivals.ts';
import { monthsBack } from './read-flows.ts';
import { readReconciliations } from './reconciliation.ts';
import { beganIn, fellSilent } from './silent-series.ts';
import { hasUnpairedTransfers } from './unpaired-transfers.ts';

interface BurnOptions {
  /** How many months are read beside the current one, if those of the burn are fewer. */
  months?: number;
  /** The last so many complete months are those of the burn. */
  basis?: number | undefined;
  /** Connections whose rows are left out beside those that the settings exclude. */
  without?: readonly string[];
  /** Reads `repeated` too. */
  seeksRepeated?: boolean;
}

/** Reads the current month and those before it, and computes burn over the last complete ones. */
export async function readBurn(
  context: Context,
  companyId: string,
  { months = BURN_MONTHS, basis = BURN_MONTHS, without = [], seeksRepeated = false }: BurnOptions = {},
): Promise<BurnView> {
  const cash = await readCash(context, companyId);
  const settings = toRules(await readSettings(context.database, context.accountId, companyId));
  const rules = { ...settings, excludedConnections: [...settings.excludedConnections, ...without] };
  const first = monthsBack(cash.today, Math.max(months, basis, BURN_MONTHS));
  // Inflows are compared with the months before theirs, whose pairs may have a side in the month before.
  const fromMonth = addMonths(first, -BURN_MONTHS - 1);
  const counted = await countRows(context, { cash, rules, fromMonth, seeksRepeated });
  const largeInflows = await readLargeInflows(context, counted, first);
  const flows = leaveOut(counted.flows, counted.windows, largeInflows, 'unclassified');
  const candidates = burnWindow(cash.today, counted.coverageFrom, basis);
  const window = knownWindow(candidates, cash.baseCurrency, flows, counted.late);
  return { ...counted, flows, largeInflows, basis, window, burns: computeBurn(flows, window) };
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
  /** What the lines are computed from, exact. */
  inputs: RunwayInput[];
  arrivals: Arrivals;
  reconciliations: Reconciliation[];
}

/** Runway per currency with cash or outflow; one with only income has no line. */
export async function readRunway(context: Context, view: BurnView): Promise<RunwayView> {
  const { cash, basis, window, hasTransactions, burns } = view;
  const onHand = toCashOnHand(cash);
  const reconciliations = await readReconciliations(context, cash.companyId);
  const arrivals = await readArrivals(context, view);
  const fallbacks = window.length > 0 ? new Map<string, FallbackBurn>() : await readFallbacks(context, cash);
  const counted = cash.series.filter(({ reason }) => reason === null);
  const sums = new Map(sumCash(counted, cash.baseCurrency).map(({ currency, balance }) => [currency, balance]));
  const spending = burns.filter(({ gross }) => gross.n > 0n).map(({ currency }) => currency);
  const currencies = [...new Set([...sums.keys(), ...spending])];
  const doubts = doubtsOf(view, onHand, arrivals);
  const month = monthOf(cash.today);
  const inputs = currencies.map((currency) => ({
    currency,
    cash: sums.get(currency),
    today: cash.today,
    window,
    basis,
    hasTransactions,
    burn: burns.find((burn) => burn.currency === currency),
    fallback: fallbacks.get(currency),
    flags: {
      stale: doubts.stale.has(currency),
      mixed_currency: currencies.length > 1,
      unexplained: reconciliations.some((item) => item.currency === currency && item.status === 'warn'),
    },
    doubts: {
      silent: doubts.silent.has(currency),
      hasNewSeries: doubts.began.has(currency),
      outThisMonth: view.flows.find((flow) => flow.currency === currency && flow.month === month)?.moneyOut ?? 0n,
      hasLargeInflow: view.largeInflows.some(
        (inflow) => inflow.currency === currency && (inflow.month === month || window.includes(inflow.month)),
      ),
      hasUnpairedTransfers: currencies.length === 1 && hasUnpairedTransfers(view),
    },
  }));
  const lines = inputs.map(computeRunway);
  return {
    cash: onHand,
    inputs,
    reconciliations,
    arrivals,
    runway: {
      object: 'runway',
      company_id: cash.companyId,
      as_of: cash.today,
      headline: headlineOf(lines, cash.baseCurrency),
      lines,
    },
  };
}

/**
 * The currencies of series with stale balances or transactions (D41), of unresponsive ones (a job that repeats the same
 * rows is fresh, and still leaves months empty), and of those that began this month.
 */
function doubtsOf(
  { cash, activity, window }: BurnView,
  onHand: CashOnHand,
  { freshness }: Arrivals,
): { stale: Set<string>; silent: Set<string>; began: Set<string> } {
  const late = new Set(
    freshness.streams
      .filter(({ transactions }) => transactions.grade === 'stale')
      .map(({ connection_id }) => connection_id ?? ''),
  );
  const held = onHand.streams.filter((one) => one.freshness === 'stale' || late.has(one.connection_id ?? ''));
  const moved = activity.filter(({ connection_id }) => late.has(connection_id));
  const silent = activity.filter((one) => fellSilent(one, window));
  const began = activity.filter((one) => beganIn(one, monthOf(cash.today)));
  return {
    stale: new Set([...held.map(({ currency }) => currency), ...moved.flatMap(({ currencies }) => currencies)]),
    silent: new Set(silent.flatMap(({ currencies }) => currencies)),
    began: new Set(began.flatMap(({ currencies }) => currencies)),
  };
}
