import type { Reconciliation } from '@finhook/contracts';
import { exactCentsOf } from '../../../kernel/exact-arithmetic.ts';

export interface StreamInterval {
  connectionId: string;
  currency: string;
  /** Days of the two balances; transactions after the first and until the second count. */
  from: string;
  to: string;
  opening: bigint;
  closing: bigint;
  posted: bigint;
}

/** Least difference that is worth a warning, in minor units. */
const FLOOR = 100n;

/**
 * What of a stream's change between two balances its transactions do not explain. It warns beyond one percent of the
 * closing balance, at least 100 minor units; a balance may already hold rows that the bank has not listed.
 */
export function reconcile(interval: StreamInterval): Reconciliation {
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
