import type { Conversion, Money } from '../../fx-rates/convert.ts';
import { type Burn, computeBurn, type MonthFlow } from './compute-burn.ts';

export function countedMoney({ moneyIn, moneyOut, currency }: MonthFlow): Money[] {
  return [moneyIn, moneyOut].map((amount) => ({ amount, currency }));
}

export function excludedMoney({ excludedIn, excludedOut, currency }: MonthFlow): Money[] {
  return [excludedIn, excludedOut].map((amount) => ({ amount, currency }));
}

export function addFlows(flows: readonly MonthFlow[], conversion: Conversion): MonthFlow[] {
  const byMonth = Map.groupBy(flows, ({ month }) => month);
  return [...byMonth].map(([month, members]) => {
    const sum = (amountOf: (flow: MonthFlow) => bigint): bigint =>
      members
        .filter(({ currency }) => conversion.knows(currency))
        .reduce((total, flow) => total + conversion.convert(amountOf(flow), flow.currency), 0n);
    return {
      month,
      currency: conversion.currency,
      moneyIn: sum((flow) => flow.moneyIn),
      moneyOut: sum((flow) => flow.moneyOut),
      excludedIn: sum((flow) => flow.excludedIn),
      excludedOut: sum((flow) => flow.excludedOut),
      transferIn: sum((flow) => flow.transferIn),
      transferOut: sum((flow) => flow.transferOut),
      transactions: members.reduce((count, { transactions }) => count + transactions, 0),
    };
  });
}

export function totalBurn(
  flows: readonly MonthFlow[],
  window: readonly string[],
  conversion: Conversion,
): Burn | undefined {
  const inWindow = flows.filter(({ month }) => window.includes(month));
  return computeBurn(addFlows(inWindow, conversion), window, conversion.parts)[0];
}
