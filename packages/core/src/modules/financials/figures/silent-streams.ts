import { addMonths, BURN_MONTHS } from './months.ts';

/** In which of the last months a stream had rows. */
export interface StreamActivity {
  connection_id: string;
  currencies: string[];
  /** `YYYY-MM`, from as many months before the window as it has. */
  months: string[];
  /** The month in which another connection took over; null for none. */
  ended: string | null;
  /** Whether it supersedes another one, whose months are then its history. */
  succeeds: boolean;
}

/** Months with rows before one without that make the one remarkable: a single payment is no habit. */
const LEAST_MONTHS = 2;

/**
 * Whether a month of the window lacks rows of a stream that had some in each of the months before it, since it began or of
 * the last three: money.md counts such a month as zero, and it may as well be a feed that stopped.
 */
export function fellSilent({ months, ended }: StreamActivity, window: readonly string[]): boolean {
  const known = new Set(months);
  const first = months.toSorted()[0] ?? '';
  return window.some((month) => {
    if (known.has(month) || (ended !== null && month >= ended)) return false;
    const before = Array.from({ length: BURN_MONTHS }, (_, i) => addMonths(month, -1 - i)).filter((m) => m >= first);
    return before.length >= LEAST_MONTHS && before.every((m) => known.has(m));
  });
}

/** Whether a series has rows of `month` only: an account that was linked without its history. */
export function beganIn({ months, ended, succeeds }: StreamActivity, month: string): boolean {
  return !succeeds && ended === null && months.every((known) => known === month);
}
