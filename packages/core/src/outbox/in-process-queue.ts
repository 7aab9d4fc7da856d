import { type DeliveryQueue, type EndpointRef, type HandOff, newDeliveryLeaseMs } from './delivery-queue.ts';

/** The delivery loop of a worker in this process. */
export interface HandOffReceiver {
  /** False while its slots, or the share of this account, are used up, and once it closes. */
  hasRoom(accountId: string | undefined): boolean;
  take(handOffs: readonly HandOff[]): void;
  poke(endpoints: readonly EndpointRef[]): void;
}

export interface InProcessQueue extends DeliveryQueue {
  /** Hands over to `receiver` until the returned function is called. */
  connect(receiver: HandOffReceiver): () => void;
}

interface InProcessQueueOptions {
  /** Wakes a worker of any process, which may be this one, for endpoints with due deliveries. Must not throw. */
  readonly wakeAny: (endpoints: readonly EndpointRef[]) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Hands over to the worker of this process by a function call. While that worker has no room, is closing or has not
 * started, new deliveries are due at once, and any worker claims them: the one that gets the wake-up, or one whose
 * reconciler finds them a second or two later.
 */
export function createInProcessQueue({ wakeAny, onError }: InProcessQueueOptions): InProcessQueue {
  let connected: HandOffReceiver | undefined;
  const hasRoom = (accountId: string | undefined) => connected?.hasRoom(accountId) === true;
  const handOver = (handOffs: readonly HandOff[], endpoints: readonly EndpointRef[], onLost: () => void) => {
    if (connected !== undefined) connected.take(handOffs);
    // The worker closed after the deliveries were leased.
    else if (handOffs.length > 0) onLost();
    connected?.poke(endpoints);
    const left = endpoints.filter(({ accountId }) => !hasRoom(accountId));
    if (left.length > 0) wakeAny(left);
  };
  return {
    leaseMs: (accountId) => (hasRoom(accountId) ? newDeliveryLeaseMs : 0),
    add: (handOffs, endpoints, onLost) => {
      // After the response to the request that stored them, and beyond the reach of its errors.
      setImmediate(() => {
        try {
          handOver(handOffs, endpoints, onLost);
        } catch (error) {
          // The leases of what was not taken end.
          onError(error);
        }
      });
    },
    connect: (receiver) => {
      connected = receiver;
      return () => {
        if (connected === receiver) connected = undefined;
      };
    },
  };
}
