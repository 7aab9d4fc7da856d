import { parseMoney } from './parse-money.ts';

/** The least and the greatest amount of a filter, as they stand in the address. */
interface AmountSearch {
  min?: string;
  max?: string;
}

export interface AmountBounds {
  /** In minor units; undefined where nothing was asked for or it can't be read. */
  cents: { min: number | undefined; max: number | undefined };
  /** What is wrong with an amount, by the name of its field. */
  faults: Readonly<{ min?: string; max?: string }>;
}

/** Reads both bounds of a filter by amount as amounts of `currency`. */
export function amountBounds(search: AmountSearch, currency: string): AmountBounds {
  const cents: AmountBounds['cents'] = { min: undefined, max: undefined };
  const faults: { min?: string; max?: string } = {};
  for (const name of ['min', 'max'] as const) {
    const text = search[name];
    if (text === undefined) continue;
    const parsed = parseMoney(text, currency);
    if ('fault' in parsed) faults[name] = parsed.fault;
    else cents[name] = parsed.cents;
  }
  return { cents, faults };
}
