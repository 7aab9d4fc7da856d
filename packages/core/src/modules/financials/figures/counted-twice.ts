import { type CountedTwice, formatMoney, type Warning } from '@finhook/contracts';
import { accountName } from '../../../ids/connection-id.ts';
import { exactCentsOf, roundHalfEven } from '../../../input/exact-arithmetic.ts';
import type { Context } from '../../../verbs/context.ts';
import { type JudgedSeries, sumCash } from '../../cash/cash-on-hand.ts';
import type { BurnView } from './classify-rows.ts';
import type { Burn } from './compute-burn.ts';
import { readBurn } from './read-runway.ts';
import type { RepeatedSeries } from './repeated-series.ts';

interface Figures {
  currency: string;
  cash: bigint | undefined;
  cashOnce: bigint | undefined;
  grossBurn: bigint | undefined;
  grossBurnOnce: bigint | undefined;
}

export interface SuspectedDuplicates {
  repeated: readonly RepeatedSeries[];
  figures: readonly Figures[];
}

/** Cash and burn with and without repeated series. Their balances stay if the other series has none. */
export async function readDuplicates(context: Context, view: BurnView): Promise<SuspectedDuplicates | null> {
  const { cash, repeated, burns } = view;
  if (repeated.length === 0) return null;
  const without = repeated.map(({ connection_id }) => connection_id);
  const once = await readBurn(context, cash.companyId, { without });
  const counted = cash.series.filter(({ reason }) => reason === null);
  const holds = (id: string): boolean => counted.some(({ connection_id }) => connection_id === id);
  const left = new Set(repeated.filter(({ repeats }) => holds(repeats)).map(({ connection_id }) => connection_id));
  const cashOf = (series: readonly JudgedSeries[]) =>
    new Map(sumCash(series, cash.baseCurrency).map(({ currency, balance }) => [currency, balance]));
  const burnOf = (lines: readonly Burn[]) =>
    new Map(lines.map(({ currency, gross }) => [currency, roundHalfEven(gross)]));
  const [cashTwice, cashOnce] = [cashOf(counted), cashOf(counted.filter((one) => !left.has(one.connection_id)))];
  const [burnTwice, burnOnce] = [burnOf(burns), burnOf(once.burns)];
  return {
    repeated,
    figures: [...new Set([...cashTwice.keys(), ...burnTwice.keys()])].map((currency) => ({
      currency,
      cash: cashTwice.get(currency),
      cashOnce: cashOnce.get(currency),
      grossBurn: burnTwice.get(currency),
      grossBurnOnce: burnOnce.get(currency),
    })),
  };
}

export function toCountedTwice(duplicates: SuspectedDuplicates | null): CountedTwice | null {
  return (
    duplicates && {
      connections: duplicates.repeated.map(({ connection_id, repeats, transactions, of }) => ({
        connection_id: connection_id || null,
        repeats: repeats || null,
        transactions: of,
        repeated_transactions: transactions,
      })),
      figures: duplicates.figures.map(({ currency, ...figure }) => ({
        currency,
        ...exactCentsOf('cash', figure.cash),
        ...exactCentsOf('cash_once', figure.cashOnce),
        ...exactCentsOf('gross_burn', figure.grossBurn),
        ...exactCentsOf('gross_burn_once', figure.grossBurnOnce),
      })),
    }
  );
}

export function duplicateWarnings(duplicates: SuspectedDuplicates | null): Warning[] {
  if (duplicates === null) return [];
  const { repeated, figures } = duplicates;
  const both = (currency: string, twice: bigint | undefined, once: bigint | undefined): string =>
    twice === undefined
      ? 'none'
      : `${formatMoney(twice, currency)}, counted once ${once === undefined ? 'unknown' : formatMoney(once, currency)}`;
  const sums = figures.map(
    ({ currency, cash, cashOnce, grossBurn, grossBurnOnce }) =>
      `${currency} cash is ${both(currency, cash, cashOnce)}; gross burn is ${both(currency, grossBurn, grossBurnOnce)}.`,
  );
  return repeated.map(({ connection_id, repeats, transactions, of }) => ({
    code: 'suspected_duplicate_connection',
    connection_id: connection_id || null,
    message: [
      `${transactions} of the ${of} transactions on the days that the ${accountName(connection_id)} and the ${accountName(repeats)} both have are the same: is it the same account?`,
      ...sums,
      'If it is, exclude one of the two in the settings of the company, or connect the new one as the replacement of the old one.',
    ].join(' '),
  }));
}
