import type { LastFailure } from '@finhook/core';
import type { AttemptOutcome } from '@finhook/delivery';

/** What a slice tells of its work. */
export interface SliceReport {
  /** In the order in which the results came; without those of claims that no longer held. */
  readonly outcomes: readonly AttemptOutcome[];
  readonly lastFailure: LastFailure | undefined;
  /** Requests a second at which they came about. */
  readonly perSecond: number;
  /** Whether something was put off to a later moment. */
  readonly putOff: boolean;
  /** Whether the endpoint may have more that is due now. */
  readonly more: boolean;
  /** Whether requests are still under way, beside which the slice may go on or which it has to finish. */
  readonly open: boolean;
  /** Whether nothing speaks against going on. */
  readonly mayGoOn: boolean;
  /** Why the slice ended early, if it is not the endpoint's doing. */
  readonly fault: Error | undefined;
}
