import type { LoadResult } from '../loads/load.ts';

/** One delivery as it arrived: which event, at which path, when (wall clock, ms). */
export type Receipt = readonly [eventId: string, path: string, at: number];

export interface ReceiverReport {
  /** Requests that were answered or held, of every path. */
  readonly received: number;
  /** Different deliveries among them, by their header. */
  readonly distinct: number;
  /** Wall clock of the first and the last request, in ms; 0 when there was none. */
  readonly firstAt: number;
  readonly lastAt: number;
  readonly receipts: readonly Receipt[];
}

export type ReceiverCommand =
  /** Forgets everything; `keepReceipts` then notes each delivery to a healthy path, for latencies. */
  { readonly kind: 'reset'; readonly keepReceipts: boolean } | { readonly kind: 'port' } | { readonly kind: 'report' };

/**
 * The time of each delivery, in ms: from when its request was due at the generator to when the receiver had it. Both
 * are on the machine's one clock. Deliveries of requests that were not measured (warm-up) are left out.
 */
export function joinReceipts(accepted: LoadResult['accepted'], receipts: readonly Receipt[]): number[] {
  const dueAt = new Map(accepted);
  return receipts.flatMap(([eventId, , at]) => {
    const due = dueAt.get(eventId);
    return due === undefined ? [] : [at - due];
  });
}
