import type { ConfidenceReason } from '@finhook/contracts';
import type { Rational } from '../../../input/exact-arithmetic.ts';
import { BURN_MONTHS } from './months.ts';

export interface Doubts {
  silent?: boolean;
  outThisMonth?: bigint;
  hasNewSeries?: boolean;
  /** An unclassified inflow of the window or this month is left out. */
  hasLargeInflow?: boolean;
  hasUnpairedTransfers?: boolean;
}

interface Confidence extends Doubts {
  window: readonly string[];
  basis?: number | undefined;
  /** Mean monthly money out, or that of a fallback; undefined without any. */
  mean: Rational | undefined;
}

export function reasonsOf({ window, basis, mean, silent, hasNewSeries, ...doubts }: Confidence): ConfidenceReason[] {
  const enough = Math.min(basis ?? BURN_MONTHS, BURN_MONTHS);
  const isShort = window.length < enough;
  const { outThisMonth = 0n, hasLargeInflow, hasUnpairedTransfers } = doubts;
  const jumped = mean !== undefined && outThisMonth * mean.d > 2n * mean.n;
  const reasons: (ConfidenceReason | false)[] = [
    isShort && { code: 'few_months', message: fewMonths(window.length, enough) },
    silent === true && {
      code: 'silent_connection',
      message: 'An account that is usually active has no transactions in one of the months.',
    },
    jumped &&
      (isShort || hasNewSeries === true) && {
        code: 'spending_jump',
        message: hasNewSeries
          ? 'Money out this month is already more than twice the average, and an account has no history before this month.'
          : 'Money out this month is already more than twice the average.',
      },
    hasLargeInflow === true && {
      code: 'large_inflow',
      message: 'An inflow far larger than usual is left out, because it may not be income.',
    },
    hasUnpairedTransfers === true && {
      code: 'unpaired_transfers',
      message:
        'Transfers to or from accounts that aren’t connected are more than a tenth of spending. Check them: a payment or income among them is missing from burn.',
    },
  ];
  return reasons.filter((reason) => reason !== false);
}

function fewMonths(count: number, enough: number): string {
  if (count === 0) return 'There is no full month of transactions.';
  return `${count} of ${enough} full months ${count === 1 ? 'is' : 'are'} available.`;
}
