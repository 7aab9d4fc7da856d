import type { LoadResult } from '../loads/load.ts';

/** One received delivery; `at` is wall clock time in ms. */
export type Receipt = readonly [eventId: string, path: string, at: number];

export interface ReceiverReport {
  /** Requests of all paths. */
  readonly received: number;
  /** Distinct deliveries, by their header. */
  readonly distinct: number;
  /** Wall clock of the first and the last request, in ms; 0 without any. */
  readonly firstAt: number;
  readonly lastAt: number;
  readonly receipts: readonly Receipt[];
}

export type ReceiverCommand =
  /** Clears the counts; `keepReceipts` records each delivery to a healthy path, for latencies. */
  { readonly kind: 'reset'; readonly keepReceipts: boolean } | { readonly kind: 'port' } | { readonly kind: 'report' };

/**
 * The latency of each delivery in ms: from the time that its request was due at the generator to its receipt, by the
 * same clock. Deliveries of warm-up requests are omitted.
 */
export function joinReceipts(accepted: LoadResult['accepted'], receipts: readonly Receipt[]): number[] {
  const dueAt = new Map(accepted);
  return receipts.flatMap(([eventId, , at]) => {
    const due = dueAt.get(eventId);
    return due === undefined ? [] : [at - due];
  });
}
