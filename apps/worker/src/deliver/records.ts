import { setTimeout as delay } from 'node:timers/promises';
import { type AttemptRecord, type Core, createMicroBatch, isDatabaseUnavailable, recordAttempts } from '@finhook/core';

/** Records attempts of all endpoints of this worker. Resolves to false if the lease was lost. */
export interface Records {
  /** Waits up to `gatherMs` for others of its batch. */
  write(attempt: AttemptRecord): Promise<boolean>;
  /** Without that wait: the endpoint sends nothing before this record. */
  writeAtOnce(attempt: AttemptRecord): Promise<boolean>;
}

export interface RecordsOptions {
  readonly core: Core;
  readonly gatherMs: number;
  readonly onRecorded?: ((record: AttemptRecord) => void) | undefined;
}

const retryEveryMs = 200;
/** Retries last this long while the database is unavailable. Attempts that are not recorded are sent again. */
const retryMs = 10_000;

export function createRecords({ core, gatherMs, onRecorded }: RecordsOptions): Records {
  const run = async (attempts: readonly AttemptRecord[]): Promise<boolean[]> => {
    for (let left = retryMs / retryEveryMs; ; left--) {
      try {
        const held = await recordAttempts(core, attempts);
        if (onRecorded) attempts.filter(({ claim }) => held.has(claim.deliveryId)).forEach(onRecorded);
        return attempts.map(({ claim }) => held.has(claim.deliveryId));
      } catch (error) {
        if (left <= 0 || !isDatabaseUnavailable(error)) throw error;
        await delay(retryEveryMs);
      }
    }
  };
  const kind = { run, maxWeight: 500, inFlight: 2 };
  return { write: createMicroBatch({ ...kind, gatherMs }), writeAtOnce: createMicroBatch(kind) };
}
