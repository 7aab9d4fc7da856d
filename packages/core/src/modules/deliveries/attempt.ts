import type { AttemptEvidence } from '@finhook/delivery';
import type { ClaimedDelivery } from './claim-deliveries.ts';

/**
 * What becomes of the delivery: it ends as succeeded or failed, it is tried again after a wait, it goes back to the
 * schedule it had (a failed manual attempt), or its holder keeps it for another try at once, for `leaseMs` from now.
 */
export type Disposition =
  | { kind: 'succeeded' }
  | { kind: 'failed' }
  | { kind: 'retry'; delayMs: number }
  | { kind: 'restore' }
  | { kind: 'again'; leaseMs: number };

/** One attempt that was made, to be recorded. */
export interface AttemptRecord {
  claim: ClaimedDelivery;
  disposition: Disposition;
  at: Date;
  durationMs: number;
  statusCode: number | null;
  /** Error class of an attempt that got no answer, or `http_<status>`. */
  error: string | null;
  errorMessage: string | null;
  responseSnippet: string | null;
  evidence?: AttemptEvidence | undefined;
}
