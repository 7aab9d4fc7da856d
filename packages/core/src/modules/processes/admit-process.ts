import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseUnavailable } from '../../db/database-error.ts';
import type { Core } from '../../verbs/context.ts';
import { assertNotRestored } from '../restore/database-identity.ts';
import { admitSecretsKeys } from './secrets-keys.ts';

interface Admission {
  /** Runs first: migrates the database, or requires that it is migrated. */
  readonly prepare: () => Promise<void>;
  /** Called once before the process waits for the database. What it throws ends the start. */
  readonly onWait: (error: unknown) => void;
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
}

const waitMs = 1_000;

/**
 * Admits a starting process to its database, and waits while that is unavailable.
 * @throws RestoredError, SecretsKeyError, AbortError, and what `prepare` throws
 */
export async function admitProcess(core: Core, { prepare, onWait, signal }: Admission): Promise<void> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      await prepare();
      await assertNotRestored(core);
      await admitSecretsKeys(core);
      return;
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      if (isFirst) onWait(error);
    }
    await sleep(waitMs, undefined, { signal });
  }
}
