import type { LoadResult } from '../loads/load.ts';

/** `at` is wall clock time in ms. */
export type Receipt = readonly [eventId: string, path: string, at: number];

export interface ReceiverReport {
  /** On all paths. */
  readonly received: number;
  /** Distinct deliveries, by their header. */
  readonly distinct: number;
  /** Wall clock of the first and the last request, in ms; 0 without any. */
  readonly firstAt: number;
  readonly lastAt: number;
}

export type ReceiverCommand =
  /** Clears the counts; `keepReceipts` records each delivery to a healthy path, for latencies. */
  { readonly kind: 'reset'; readonly keepReceipts: boolean } | { readonly kind: 'port' | 'report' | 'receipts' };

/**
 * The latency of each delivery in ms, by one clock: from its request's due time, or from the response to it, to the
 * receipt. The latter is negative if the webhook was faster. Omits warm-up requests.
 */
export function joinReceipts(
  accepted: LoadResult['accepted'],
  receipts: readonly Receipt[],
  since: 'due' | 'response' = 'due',
): number[] {
  const requests = new Map(accepted.map((request) => [request[0], request]));
  return receipts.flatMap(([eventId, , at]) => {
    const request = requests.get(eventId);
    return request === undefined ? [] : [at - request[since === 'due' ? 1 : 2]];
  });
}
