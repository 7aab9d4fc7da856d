import type { AttemptEvidence } from '@finhook/delivery';
import type { ClaimedDelivery } from './claim-deliveries.ts';

/** `restore` keeps the schedule after a failed manual attempt; `again` is an immediate retry under the same lease. */
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
  error: string | null;
  errorMessage: string | null;
  errorCode?: string | undefined;
  /** True if the connection ended within the response's body. */
  responseTruncated?: boolean | undefined;
  responseSnippet: string | null;
  evidence?: AttemptEvidence | undefined;
}
