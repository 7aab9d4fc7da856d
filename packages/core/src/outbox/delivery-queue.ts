export interface EndpointRef {
  id: string;
  accountId: string;
}

/** The way from the transaction that stores deliveries to the workers. It may lose everything: a lease ends then. */
export interface DeliveryQueue {
  /** The lease of new deliveries in ms; 0 while workers are behind or the queue is away: they are due at once then. */
  leaseMs(): number;
  /**
   * Best effort, after the commit: new deliveries, sealed, and endpoints with deliveries that are due. Never throws, and
   * calls `onLost` when no worker will receive the hand-offs.
   */
  add(handOffs: readonly string[], endpoints: readonly EndpointRef[], onLost: () => void): void;
}

/** Until a worker has sent or extended it. Longer than a queue that works takes, and soon over when it lost a hand-off. */
export const newDeliveryLeaseMs = 3_000;

interface DeliverJobs {
  readonly isAccepting: boolean;
  deliver(work: { handOffs: readonly string[]; endpoints: readonly EndpointRef[]; onLost: () => void }): Promise<void>;
}

/** The job queue as what leases new deliveries; `onError` receives what made a job fail. */
export function toDeliveryQueue(jobs: DeliverJobs, onError: (error: unknown) => void = () => undefined): DeliveryQueue {
  return {
    leaseMs: () => (jobs.isAccepting ? newDeliveryLeaseMs : 0),
    add: (handOffs, endpoints, onLost) => void jobs.deliver({ handOffs, endpoints, onLost }).catch(onError),
  };
}
