import type { Burn as BurnRecord, CashOnHand, Reconciliation } from '@finhook/contracts';
import type { Context } from '../../../verbs/context.ts';
import { readCash, toCashOnHand } from '../../cash/cash-on-hand.ts';
import { createBaseConversion } from '../../fx-rates/convert.ts';
import { type BurnView, burnOver, classifyRows } from './classify-rows.ts';
import { toBurnLine } from './compute-burn.ts';
import type { FallbackBurn } from './compute-runway.ts';
import { readFallbacks } from './fallback.ts';
import { readRules } from './figure-rules.ts';
import { addMonths, BURN_MONTHS, monthOf } from './months.ts';
import { type Arrivals, readArrivals } from './read-arrivals.ts';
import { readReconciliations } from './reconciliation.ts';
import type { RowSource } from './row-source.ts';
import { type RunwayOfInputs, type RunwaySources, toRunway } from './runway-lines.ts';
import { countedMoney, totalBurn } from './total-flows.ts';

interface BurnOptions {
  /** Minimum number of months to read besides the current one. */
  months?: number;
  basis?: number | undefined;
  /** Connections to exclude besides those of the settings. */
  without?: readonly string[];
  seeksRepeated?: boolean;
}

export async function readScope(
  context: Context,
  companyId: string,
  without: readonly string[] = [],
): Promise<Pick<RowSource, 'cash' | 'rules'>> {
  const cash = await readCash(context, companyId);
  const rules = await readRules(context.database, context.accountId, companyId);
  return { cash, rules: { ...rules, excludedConnections: [...rules.excludedConnections, ...without] } };
}

export async function readBurn(
  context: Context,
  companyId: string,
  { months = BURN_MONTHS, basis = BURN_MONTHS, without = [], seeksRepeated = false }: BurnOptions = {},
): Promise<BurnView> {
  const { cash, rules } = await readScope(context, companyId, without);
  const first = addMonths(monthOf(cash.today), -Math.max(months, basis, BURN_MONTHS));
  return burnOver(await classifyRows(context, { cash, rules, first, seeksRepeated }), basis);
}

export function toBurnRecord(view: BurnView): BurnRecord {
  const { cash, coverageFrom, flows, window, burns, replaced } = view;
  const inWindow = flows.filter(({ month }) => window.includes(month));
  const { conversion, missing } = createBaseConversion(cash, inWindow.flatMap(countedMoney));
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

export interface RunwayView extends RunwayOfInputs {
  cash: CashOnHand;
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
