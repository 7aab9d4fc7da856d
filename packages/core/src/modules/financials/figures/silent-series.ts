import { addMonths, BURN_MONTHS } from './months.ts';

export interface SeriesActivity {
  connection_id: string;
  currencies: string[];
  months: string[];
  /** The month in which another connection superseded it; null for none. */
  ended: string | null;
  succeeds: boolean;
}

const LEAST_MONTHS = 2;

/** True if a month of the window has no rows, and each of the three before it (since the series began) has some. */
export function isSilent({ months, ended }: SeriesActivity, window: readonly string[]): boolean {
  const known = new Set(months);
  const first = months.toSorted()[0] ?? '';
  return window.some((month) => {
    if (known.has(month) || (ended !== null && month >= ended)) return false;
    const before = Array.from({ length: BURN_MONTHS }, (_, i) => addMonths(month, -1 - i)).filter((m) => m >= first);
    return before.length >= LEAST_MONTHS && before.every((m) => known.has(m));
  });
}

/** Returns true if a series has rows in `month` only: an account linked without its history. */
export function beganIn({ months, ended, succeeds }: SeriesActivity, month: string): boolean {
  return !succeeds && ended === null && months.every((known) => known === month);
}
