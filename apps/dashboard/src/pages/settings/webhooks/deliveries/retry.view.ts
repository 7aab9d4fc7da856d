import { limitConcurrency } from '@finhook/client/limit-concurrency';
import { explain } from '../../../../lib/problem.ts';
import type { Outputs } from '../../../../lib/trpc.ts';

export type Listed = Outputs['deliveries']['list']['data'][number];

/** Requests at once: fewer than the account's limit, which other tabs and programs share. */
const AT_ONCE = 4;

/** The endpoint rejects a retry in any other state. */
export function canRetry({ status, endpoint_status: endpoint }: Pick<Listed, 'status' | 'endpoint_status'>): boolean {
  return status !== 'succeeded' && status !== 'cancelled' && endpoint === 'active';
}

export interface Rejected {
  reason: string;
  ids: readonly string[];
}

interface RetryResult {
  started: number;
  rejected: readonly Rejected[];
}

/** Retries each delivery; one that is rejected doesn't stop the others. `onEnd` is called after each. */
export async function retryAll(
  ids: readonly string[],
  retry: (id: string) => Promise<unknown>,
  onEnd: () => void,
): Promise<RetryResult> {
  const reasons = new Map<string, string[]>();
  const send = limitConcurrency(AT_ONCE, async (id: string) => {
    try {
      await retry(id);
    } catch (error) {
      const reason = explain(error);
      reasons.set(reason, [...(reasons.get(reason) ?? []), id]);
    }
    onEnd();
  });
  await Promise.all(ids.map((id) => send(id)));
  const rejected = [...reasons].map(([reason, of]) => ({ reason, ids: of }));
  return { started: ids.length - rejected.reduce((sum, { ids: of }) => sum + of.length, 0), rejected };
}
