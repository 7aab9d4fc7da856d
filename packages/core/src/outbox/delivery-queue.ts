import { z } from 'zod';
import type { Secrets } from '../access/secrets.ts';

export interface EndpointRef {
  id: string;
  accountId: string;
}

/** An event with the deliveries leased to the worker that receives it. The lease token is the event's id. */
const handOffSchema = z.object({
  eventId: z.string(),
  eventType: z.string(),
  /** Position in the account's sequence. */
  sequence: z.string(),
  accountId: z.string(),
  /** The exact text to send. Null if it is large: the worker then loads it. */
  body: z.string().nullable(),
  bodyBytes: z.number(),
  traceparent: z.string().optional(),
  /** Before the statement that leased them, in ms since the epoch: a worker must not count on a longer lease. */
  at: z.number(),
  deliveries: z.array(z.object({ id: z.string(), endpointId: z.string(), endpointVersion: z.string() })),
});
const handOffsSchema = z.array(handOffSchema);
export type HandOff = z.output<typeof handOffSchema>;

/** Passes new deliveries to the workers. It may lose them: they become due when their leases end. */
export interface DeliveryQueue {
  /** Lease for new deliveries in ms. 0 while workers are behind or the queue is down: they are due at once. */
  leaseMs(accountId: string | undefined): number;
  /** After the commit. Never throws; calls `onLost` if no worker will receive the hand-offs. */
  add(handOffs: readonly HandOff[], endpoints: readonly EndpointRef[], onLost: () => void): void;
}

/** Longer than the queue takes, and short enough to recover quickly from a lost hand-off. */
export const newDeliveryLeaseMs = 3_000;

interface DeliverJobs {
  readonly isAccepting: boolean;
  /** Takes sealed hand-offs. */
  deliver(work: { handOffs: readonly string[]; endpoints: readonly EndpointRef[]; onLost: () => void }): Promise<void>;
}

/** Hands over to workers of other processes, with jobs. `onError` receives errors of jobs that were not added. */
export function toDeliveryQueue(
  jobs: DeliverJobs,
  secrets: Secrets,
  onError: (error: unknown) => void = () => undefined,
): DeliveryQueue {
  return {
    leaseMs: () => (jobs.isAccepting ? newDeliveryLeaseMs : 0),
    add: (handOffs, endpoints, onLost) => {
      const sealed = handOffs.length === 0 ? [] : [sealHandOffs(secrets, handOffs)];
      void jobs.deliver({ handOffs: sealed, endpoints, onLost }).catch(onError);
    },
  };
}

const aad = 'hand_off';

/** Encrypted, so that access to the queue allows neither reading bodies nor having forged ones signed. */
function sealHandOffs(secrets: Secrets, handOffs: readonly HandOff[]): string {
  return secrets.encrypt(JSON.stringify(handOffs), aad);
}

/** @throws if no configured SECRETS_KEY decrypts it */
export function openHandOffs(secrets: Secrets, sealed: string): HandOff[] {
  return handOffsSchema.parse(JSON.parse(secrets.decrypt(sealed, aad)));
}
