import type { AttemptEvidence } from '@finhook/delivery';
import type { ClaimedDelivery } from './claim-deliveries.ts';

/**
 * The effect on the delivery. `restore` keeps the schedule, after a failed manual attempt; `again` is an immediate retry by
 * the same worker, whose lease ends in `leaseMs`.
 */
export type Disposition =
  | { kind: 'succeeded' }
  | { kind: 'failed' }
  | { kind: 'retry'; delayMs: number }
  | { kind: 'restore' }
  | { kind: 'again'; leaseMs: number };

export interface AttemptRecord {
  claim: ClaimedDelivery;
  disposition: Disposition;
  at: Date;
  durationMs: number;
  statusCode: number | null;
  /** Error class, or `http_<status>`. */
  error: string | null;
  errorMessage: string | null;
  /** Cause of an error within its class, such as `CERT_HAS_EXPIRED`. */
  errorCode?: string | undefined;
  /** True if the connection ended within the response's body. */
  responseTruncated?: boolean | undefined;
  responseSnippet: string | null;
  evidence?: AttemptEvidence | undefined;
}
