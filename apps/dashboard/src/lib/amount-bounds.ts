import { parseMoney } from './parse-money.ts';

interface AmountSearch {
  min?: string;
  max?: string;
}

export interface AmountBounds {
  /** Minor units; undefined if a bound is absent or invalid. */
  cents: { min: number | undefined; max: number | undefined };
  faults: Readonly<{ min?: string; max?: string }>;
}

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
