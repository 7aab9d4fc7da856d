export interface EndpointRef {
  id: string;
  accountId: string;
}

/** The way from the transaction that stores deliveries to the workers. It may lose everything: a lease ends then. */
export interface DeliveryQueue {
  /** The lease of new deliveries in ms; 0 while workers are behind or the queue is away: they are due at once then. */
  leaseMs(): number;
  /** Best effort, after the commit: new deliveries, sealed, and endpoints with deliveries that are due. Never throws. */
  add(handOffs: readonly string[], endpoints: readonly EndpointRef[]): void;
}

/** Until a worker has sent or extended it. Longer than a queue that works takes, and soon over when it lost a hand-off. */
export const newDeliveryLeaseMs = 3_000;

interface DeliverJobs {
  readonly isAccepting: boolean;
  deliver(work: { handOffs: readonly string[]; endpoints: readonly EndpointRef[] }): Promise<void>;
}

/** The job queue as what leases new deliveries. */
export function toDeliveryQueue(jobs: DeliverJobs, onLost: (error: unknown) => void = () => undefined): DeliveryQueue {
  return {
    leaseMs: () => (jobs.isAccepting ? newDeliveryLeaseMs : 0),
    add: (handOffs, endpoints) => void jobs.deliver({ handOffs, endpoints }).catch(onLost),
  };
}
