import type { LoadResult } from '../loads/load.ts';
import type { Receipt } from '../processes/receiver-report.ts';

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
