import type { Receipt, ReceiverReport } from './receiver-report.ts';

interface Arrival {
  readonly at: number;
  readonly path: string;
  /** From headers; absent for requests that are not deliveries. */
  readonly deliveryId: string | undefined;
  readonly eventId: string | undefined;
}

export interface Ledger {
  note: (arrival: Arrival) => void;
  report: () => ReceiverReport;
  receipts: () => readonly Receipt[];
  /** Clears the counts; `keepReceipts` records the time of each delivery from then on. */
  reset: (keepReceipts: boolean) => void;
}

/** Counts received requests and distinct deliveries. */
export function createLedger(): Ledger {
  let received = 0;
  let firstAt = 0;
  let lastAt = 0;
  let deliveries = new Set<string>();
  let receipts: Receipt[] = [];
  let keeping = false;
  return {
    note: ({ at, path, deliveryId, eventId }) => {
      if (received === 0) firstAt = at;
      received += 1;
      lastAt = at;
      if (deliveryId === undefined) return;
      deliveries.add(deliveryId);
      if (keeping) receipts.push([eventId ?? '', path, at]);
    },
    report: () => ({ received, distinct: deliveries.size, firstAt, lastAt }),
    receipts: () => receipts,
    reset: (keepReceipts) => {
      received = firstAt = lastAt = 0;
      deliveries = new Set();
      receipts = [];
      keeping = keepReceipts;
    },
  };
}
