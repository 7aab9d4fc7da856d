// Risk: the api rejects a page's many reads as too many requests, or a page deadlocks on its own reads.
import { expect, test } from 'vitest';
import { createTrpc } from './trpc.ts';

function openPage() {
  const inFlight: { calls: number; settle: (response: Response | Promise<never>) => void }[] = [];
  const trpc = createTrpc({ current: () => null }, (url) => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    const [path = ''] = typeof url === 'string' ? url.split('?', 1) : [];
    inFlight.push({ calls: path.split(',').length, settle: resolve });
    return promise;
  });
  return { trpc, inFlight };
}

const empty = (calls: number) => Response.json(Array.from({ length: calls }, () => ({ result: { data: {} } })));

test('sixty concurrent queries are five requests, at most two in flight, even if one fails', async () => {
  const { trpc, inFlight } = openPage();
  const reads = Promise.allSettled(Array.from({ length: 60 }, (_, i) => trpc.agents.get.query({ agent_id: `a${i}` })));
  for (const left of [5, 4, 3, 2, 1]) {
    await expect.poll(() => inFlight.length).toBeGreaterThanOrEqual(Math.min(left, 2));
    expect(inFlight.map(({ calls }) => calls)).toEqual(Array(Math.min(left, 2)).fill(12));
    inFlight.shift()?.settle(left === 5 ? Promise.reject(new Error('no response')) : empty(12));
  }
  const failed = (await reads).filter(({ status }) => status === 'rejected');
  expect(failed).toHaveLength(12);
});
