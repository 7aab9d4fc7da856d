import type { CashOnHand, Reconciliation, Runway } from '@finhook/contracts';
import { rational, roundHalfEven } from '../../../input/exact-arithmetic.ts';
import { sumCash } from '../../cash/cash-on-hand.ts';
import { type Conversion, createBaseConversion, createConversion, type Money } from '../../fx-rates/convert.ts';
import type { BurnView } from './classify-rows.ts';
import { computeRunway, type FallbackBurn, headlineOf, type RunwayInput } from './compute-runway.ts';
import { totalFallback } from './fallback.ts';
import { createMonthLookup } from './leave-out.ts';
import { monthOf } from './months.ts';
import type { Arrivals } from './read-arrivals.ts';
import { beganIn, isSilent } from './silent-series.ts';
import { addFlows, countedMoney, totalBurn } from './total-flows.ts';

export interface RunwaySources {
  view: BurnView;
  onHand: CashOnHand;
  arrivals: Arrivals;
  reconciliations: readonly Reconciliation[];
  fallbacks: ReadonlyMap<string, FallbackBurn>;
}

type Amounts = Pick<RunwayInput, 'currency' | 'parts' | 'cash' | 'burn' | 'fallback'> & { outThisMonth: bigint };
type InputOf = (of: readonly string[], amounts: Amounts, more: { isMixed: boolean; isWhole: boolean }) => RunwayInput;

export interface RunwayOfInputs {
  runway: Runway;
  /** The exact input of the headline; undefined without one. */
  lead: RunwayInput | undefined;
  /** The exact inputs of the total, if there is one, and of each line. */
  inputs: readonly RunwayInput[];
}

export function toRunway(sources: RunwaySources): RunwayOfInputs {
  const { cash, burns, flows } = sources.view;
  const month = monthOf(cash.today);
  const counted = cash.series.filter(({ reason }) => reason === null);
  const sums = new Map(sumCash(counted, cash.baseCurrency).map(({ currency, balance }) => [currency, balance]));
  const spending = burns.filter(({ gross }) => gross.n > 0n).map(({ currency }) => currency);
  const currencies = [...new Set([...sums.keys(), ...spending])];
  const isMixed = currencies.length > 1;
  const inputOf = createInputs(sources);
  const inputs = currencies.map((currency) => {
    const outThisMonth = flows.find((flow) => flow.currency === currency && flow.month === month)?.moneyOut ?? 0n;
    const burn = burns.find((one) => one.currency === currency);
    const fallback = sources.fallbacks.get(currency);
    const amounts = { currency, cash: sums.get(currency), burn, fallback, outThisMonth };
    return inputOf([currency], amounts, { isMixed, isWhole: !isMixed });
  });
  const lines = inputs.map(computeRunway);
  const { input, rates, missing } = totalOf(sources, sums, inputOf);
  const total = input && lines.length > 0 ? computeRunway(input) : null;
  const headline = total ?? headlineOf(lines, cash.baseCurrency);
  return {
    inputs: total && input ? [input, ...inputs] : inputs,
    lead: total ? input : inputs.find(({ currency }) => currency === headline?.currency),
    runway: {
      object: 'runway',
      company_id: cash.companyId,
      as_of: cash.today,
      headline,
      lines,
      total: total && { ...total, rates },
      rates_missing: missing,
      rules_applied_at: sources.view.rulesAppliedAt,
    },
  };
}

interface TotalInput {
  input: RunwayInput | undefined;
  rates: Conversion['rates'];
  missing: string[];
}

function totalOf({ view, fallbacks }: RunwaySources, sums: ReadonlyMap<string, bigint>, inputOf: InputOf): TotalInput {
  const { cash, flows, window, burns } = view;
  const { conversion, missing } = createBaseConversion(cash, [
    ...[...sums].map(([currency, amount]) => ({ currency, amount })),
    ...flows.filter(({ month }) => window.includes(month)).flatMap(countedMoney),
    ...[...fallbacks].map(([currency, { net }]) => ({ currency, amount: net.n })),
  ]);
  if (conversion === undefined) return { input: undefined, rates: null, missing };
  const { currency, parts, rates } = conversion;
  const ofMonth = flows.filter(({ month }) => month === monthOf(cash.today));
  const [thisMonth] = addFlows(ofMonth, conversion);
  const counted = cash.series.filter(({ reason }) => reason === null);
  const held = Map.groupBy(counted, (series) => series.currency);
  const heldIds = new Map([...held].map(([code, series]) => [code, series.map(({ connection_id }) => connection_id)]));
  const amounts: Amounts = {
    currency,
    parts,
    cash:
      sums.size === 0 ? undefined : [...sums].reduce((sum, [code, cents]) => sum + conversion.convert(cents, code), 0n),
    burn: totalBurn(flows, window, conversion),
    fallback: totalFallback(fallbacks, heldIds, conversion),
    outThisMonth: roundHalfEven(rational(thisMonth?.moneyOut ?? 0n, parts)),
  };
  const currencies = [...sums.keys(), ...burns.map((burn) => burn.currency)];
  return { input: inputOf(currencies, amounts, { isMixed: false, isWhole: true }), rates, missing };
}

function createInputs({ view, onHand, arrivals, reconciliations }: RunwaySources): InputOf {
  const { cash, basis, window, hasTransactions, largeInflows } = view;
  const doubts = doubtsOf(view, onHand, arrivals);
  const month = monthOf(cash.today);
  const isUnpaired = hasUnpairedTransfers(view);
  return (of, { outThisMonth, ...amounts }, { isMixed, isWhole }) => {
    const has = (currencies: ReadonlySet<string>): boolean => of.some((currency) => currencies.has(currency));
    return {
      ...amounts,
      today: cash.today,
      window,
      basis,
      hasTransactions,
      flags: {
        stale: has(doubts.stale),
        mixed_currency: isMixed,
        unexplained: reconciliations.some((item) => of.includes(item.currency) && item.status === 'warn'),
      },
      doubts: {
        silent: has(doubts.silent),
        hasNewSeries: has(doubts.began),
        outThisMonth,
        hasLargeInflow: largeInflows.some(
          (inflow) => of.includes(inflow.currency) && (inflow.month === month || window.includes(inflow.month)),
        ),
        // A doubt about the whole company: money moves between currencies.
        hasUnpairedTransfers: isWhole && isUnpaired,
      },
    };
  };
}

/** Currencies of stale, silent and new series. A job that repeats old rows is fresh, but leaves months empty. */
function doubtsOf(
  { cash, rules, activity: all, window }: BurnView,
  onHand: CashOnHand,
  { freshness }: Arrivals,
): { stale: Set<string>; silent: Set<string>; began: Set<string> } {
  const isCounted = (connectionId: string): boolean => !rules.uncountedConnections.includes(connectionId);
  const activity = all.filter(({ connection_id }) => isCounted(connection_id));
  const late = new Set(
    freshness.streams
      .filter(({ transactions }) => transactions.grade === 'stale')
      .map(({ connection_id }) => connection_id ?? '')
      .filter(isCounted),
  );
  const held = onHand.streams.filter((one) => one.freshness === 'stale' || late.has(one.connection_id ?? ''));
  const moved = activity.filter(({ connection_id }) => late.has(connection_id));
  const silent = activity.filter((one) => isSilent(one, window));
  const began = activity.filter((one) => beganIn(one, monthOf(cash.today)));
  return {
    stale: new Set([...held.map(({ currency }) => currency), ...moved.flatMap(({ currencies }) => currencies)]),
    silent: new Set(silent.flatMap(({ currencies }) => currencies)),
    began: new Set(began.flatMap(({ currencies }) => currencies)),
  };
}

const UNPAIRED_PART = 10n;

/** An unconnected account, or a category that names other payments too. False if the currencies lack a rate. */
function hasUnpairedTransfers({ cash, flows, windows, window, paired }: BurnView): boolean {
  const months = flows.filter(({ month }) => window.includes(month));
  const monthAt = createMonthLookup(windows);
  const inPairs = paired.filter(({ postedAt }) => window.includes(monthAt(postedAt) ?? ''));
  const out = months.map(({ currency, moneyOut }) => ({ currency, amount: moneyOut }));
  const transfers: Money[] = [
    ...months.map(({ currency, transferOut, transferIn }) => ({ currency, amount: transferOut - transferIn })),
    ...inPairs,
  ];
  const moved = [...out, ...transfers].filter(({ amount }) => amount !== 0n);
  const [currency, ...others] = new Set(moved.map((one) => one.currency));
  if (currency === undefined) return false;
  const { conversion } =
    others.length === 0
      ? createConversion(undefined, [currency], currency, cash.today)
      : createBaseConversion(cash, moved);
  if (conversion === undefined) return false;
  const sum = (amounts: readonly Money[]): bigint =>
    amounts.reduce((total, one) => total + conversion.convert(one.amount, one.currency), 0n);
  const net = sum(transfers);
  return (net < 0n ? -net : net) * UNPAIRED_PART > sum(out);
}
