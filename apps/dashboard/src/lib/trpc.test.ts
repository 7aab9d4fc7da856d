// Risk: the api rejects a page's many reads as too many requests, or a page deadlocks on its own reads.
import { expect, test } from 'vitest';
import { createTrpc } from './trpc.ts';

function openPage() {
  const underWay: { calls: number; settle: (answer: Response | Promise<never>) => void }[] = [];
  const trpc = createTrpc({ current: () => null }, (url) => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    const [path = ''] = typeof url === 'string' ? url.split('?', 1) : [];
    underWay.push({ calls: path.split(',').length, settle: resolve });
    return promise;
  });
  return { trpc, underWay };
}

const empty = (calls: number) => Response.json(Array.from({ length: calls }, () => ({ result: { data: {} } })));

test('sixty concurrent queries are five requests, at most two in flight, even if one fails', async () => {
  const { trpc, underWay } = openPage();
  const reads = Promise.allSettled(Array.from({ length: 60 }, (_, i) => trpc.agents.get.query({ agent_id: `a${i}` })));
  for (const left of [5, 4, 3, 2, 1]) {
    await expect.poll(() => underWay.length).toBeGreaterThanOrEqual(Math.min(left, 2));
    expect(underWay.map(({ calls }) => calls)).toEqual(Array(Math.min(left, 2)).fill(12));
    underWay.shift()?.settle(left === 5 ? Promise.reject(new Error('no answer')) : empty(12));
  }
  const failed = (await reads).filter(({ status }) => status === 'rejected');
  expect(failed).toHaveLength(12);
});
