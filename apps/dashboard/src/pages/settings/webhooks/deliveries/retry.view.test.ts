// Risk: a rejected retry stops the others or is not reported, or hundreds of requests are sent at once.
import { expect, test } from 'vitest';
import { canRetry, retryAll } from './retry.view.ts';

test('only deliveries that have not arrived, to an active endpoint, are retried', () => {
  const allowed = (['pending', 'retrying', 'failed', 'succeeded', 'cancelled'] as const).filter((status) =>
    canRetry({ status, endpoint_status: 'active' }),
  );
  expect(allowed).toEqual(['pending', 'retrying', 'failed']);
  for (const endpoint_status of ['paused', 'disabled', 'deleted', null] as const)
    expect(canRetry({ status: 'failed', endpoint_status })).toBe(false);
});

test('few requests are in flight, and rejected ones are grouped by their reason', async () => {
  const ids = Array.from({ length: 20 }, (_, i) => `dlv_${i}`);
  let [inFlight, most, ended] = [0, 0, 0];
  const result = await retryAll(
    ids,
    async (id) => {
      most = Math.max(most, ++inFlight);
      await Promise.resolve();
      inFlight--;
      if (id === 'dlv_3' || id === 'dlv_7') throw new Error('The endpoint is paused.');
      if (id === 'dlv_9') throw new Error('Not found.');
    },
    () => ended++,
  );
  expect([most, ended]).toEqual([4, 20]);
  expect(result).toEqual({
    started: 17,
    rejected: [
      { reason: 'The endpoint is paused.', ids: ['dlv_3', 'dlv_7'] },
      { reason: 'Not found.', ids: ['dlv_9'] },
    ],
  });
});
