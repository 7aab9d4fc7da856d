import type { Burn as BurnRecord, CashOnHand, Reconciliation, Runway } from '@finhook/contracts';
import type { Context } from '../../../verbs/context.ts';
import { readCash, toCashOnHand } from '../../cash/cash-on-hand.ts';
import { type BurnView, burnOver } from './burn-view.ts';
import { classifyRows } from './classify-rows.ts';
import { toBurnLine } from './compute-burn.ts';
import type { FallbackBurn, RunwayInput } from './compute-runway.ts';
import { readFallbacks } from './fallback.ts';
import { readRules } from './figure-rules.ts';
import { BURN_MONTHS } from './months.ts';
import { type Arrivals, readArrivals } from './read-arrivals.ts';
import { monthsBack } from './read-flows.ts';
import { readReconciliations } from './reconciliation.ts';
import type { RowSource } from './row-source.ts';
import { type RunwaySources, toRunway } from './runway-lines.ts';
import { openTotalOfFlows, totalBurn } from './total-flows.ts';

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

/** Reads what decides which rows of a company count. */
export async function readScope(
  context: Context,
  companyId: string,
  without: readonly string[] = [],
): Promise<Pick<RowSource, 'cash' | 'rules'>> {
  const cash = await readCash(context, companyId);
  const rules = await readRules(context.database, context.accountId, companyId);
  return { cash, rules: { ...rules, excludedConnections: [...rules.excludedConnections, ...without] } };
}

/** Reads the current month and those before it, and computes burn over the last complete ones. */
export async function readBurn(
  context: Context,
  companyId: string,
  { months = BURN_MONTHS, basis = BURN_MONTHS, without = [], seeksRepeated = false }: BurnOptions = {},
): Promise<BurnView> {
  const { cash, rules } = await readScope(context, companyId, without);
  const first = monthsBack(cash.today, Math.max(months, basis, BURN_MONTHS));
  return burnOver(await classifyRows(context, { cash, rules, first, seeksRepeated }), basis);
}

export function toBurnRecord(view: BurnView): BurnRecord {
  const { cash, coverageFrom, flows, window, burns, replaced } = view;
  const { conversion, missing } = openTotalOfFlows(
    cash,
    flows.filter(({ month }) => window.includes(month)),
  );
  const total = conversion && totalBurn(flows, window, conversion);
  return {
    object: 'burn',
    company_id: cash.companyId,
    as_of: cash.today,
    coverage_from: coverageFrom ?? null,
    window,
    lines: burns.map(toBurnLine),
    total: total ? { ...toBurnLine(total), rates: conversion.rates } : null,
    rates_missing: missing,
    rules_applied_at: view.rulesAppliedAt,
    replaced,
  };
}

export interface RunwayView {
  cash: CashOnHand;
  runway: Runway;
  /** What the headline is computed from, exact; undefined without one. */
  lead: RunwayInput | undefined;
  arrivals: Arrivals;
  reconciliations: Reconciliation[];
  sources: RunwaySources;
}

export async function readRunway(context: Context, view: BurnView): Promise<RunwayView> {
  const { cash, window } = view;
  const onHand = toCashOnHand(cash);
  const reconciliations = await readReconciliations(context, cash.companyId);
  const arrivals = await readArrivals(context, view);
  const fallbacks = window.length > 0 ? new Map<string, FallbackBurn>() : await readFallbacks(context, cash);
  const sources = { view, onHand, arrivals, reconciliations, fallbacks };
  return { cash: onHand, reconciliations, arrivals, sources, ...toRunway(sources) };
}
