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
