import type { Reconciliation } from '@finhook/contracts';
import { exactCentsOf } from '../../../kernel/exact-arithmetic.ts';

export interface SeriesInterval {
  connectionId: string;
  currency: string;
  /** Days of the two balances; transactions after the first and until the second count. */
  from: string;
  to: string;
  opening: bigint;
  closing: bigint;
  posted: bigint;
}

/** Smallest difference that warns, in minor units. */
const FLOOR = 100n;

/**
 * Computes the part of a series' change between two balances that its transactions do not explain. It warns beyond one
 * percent of the closing balance, at least 100 minor units; a balance may contain rows that the bank has not listed
 * yet.
 */
export function reconcile(interval: SeriesInterval): Reconciliation {
  const { opening, closing, posted } = interval;
  const unexplained = closing - opening - posted;
  const percent = absolute(closing) / 100n;
  const threshold = percent > FLOOR ? percent : FLOOR;
  return {
    connection_id: interval.connectionId || null,
    currency: interval.currency,
    from: interval.from,
    to: interval.to,
    opening_cents: Number(opening),
    closing_cents: Number(closing),
    ...exactCentsOf('posted', posted),
    ...exactCentsOf('unexplained', unexplained),
    ...exactCentsOf('threshold', threshold),
    status: absolute(unexplained) * 100n > absolute(closing) && absolute(unexplained) > FLOOR ? 'warn' : 'pass',
  };
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}
