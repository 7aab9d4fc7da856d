import type { AttemptEvidence } from '@finhook/delivery';
import type { ClaimedDelivery } from './claim-deliveries.ts';

/**
 * The effect on the delivery: it succeeds or fails, is retried after a wait, keeps its previous schedule (a failed
 * manual attempt), or is retried immediately by its claim's owner, whose lease ends in `leaseMs`.
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
  /** Error class of an attempt without a response, or `http_<status>`. */
  error: string | null;
  errorMessage: string | null;
  /** Cause of an error within its class, such as `CERT_HAS_EXPIRED`. */
  errorCode?: string | undefined;
  /** True if the connection ended before the body of the response did. */
  responseTruncated?: boolean | undefined;
  responseSnippet: string | null;
  evidence?: AttemptEvidence | undefined;
}
