// Risk: a figure that stays old because its read was begun anew with each event, or was not begun again at all.
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { createRefetchChanged } from './refetch-changed.ts';

/** A query in view whose reads the test answers one by one. */
function watch(client: QueryClient, path: string[], meta?: { first: boolean }) {
  const reads: PromiseWithResolvers<number>[] = [];
  const observer = new QueryObserver(client, {
    queryKey: [path, { type: 'query' }],
    queryFn: () => {
      const read = Promise.withResolvers<number>();
      reads.push(read);
      return read.promise;
    },
    ...(meta ? { meta } : {}),
  });
  observer.subscribe(() => undefined);
  return { reads, data: () => observer.getCurrentResult().data };
}

const turn = () => new Promise((resolve) => setTimeout(resolve));

test('what an event changed is read again, and nothing else', async () => {
  const client = new QueryClient();
  const cash = watch(client, ['cash', 'onHand']);
  const cases = watch(client, ['cases', 'list']);
  cash.reads[0]?.resolve(1);
  cases.reads[0]?.resolve(1);
  await turn();
  void createRefetchChanged(client)(['bank.balance.updated']);
  await turn();
  expect([cash.reads.length, cases.reads.length]).toEqual([2, 1]);
});

test('a read under way finishes, however many events come, and is then read once more', async () => {
  const client = new QueryClient();
  const refetchChanged = createRefetchChanged(client);
  const slow = watch(client, ['financials', 'dataQuality']);
  for (let i = 0; i < 5; i++) void refetchChanged(['bank.balance.updated']);
  await turn();
  expect(slow.reads).toHaveLength(1);
  slow.reads[0]?.resolve(1);
  await turn();
  await turn();
  expect(slow.data()).toBe(1);
  expect(slow.reads).toHaveLength(2);
  slow.reads[1]?.resolve(2);
  await turn();
  expect([slow.data(), slow.reads.length]).toEqual([2, 2]);
});

test('what has the first turn is read before the rest', async () => {
  const client = new QueryClient();
  const first = watch(client, ['cash', 'onHand'], { first: true });
  const rest = watch(client, ['cash', 'history']);
  first.reads[0]?.resolve(1);
  rest.reads[0]?.resolve(1);
  await turn();
  void createRefetchChanged(client)(['bank.balance.updated']);
  await turn();
  expect([first.reads.length, rest.reads.length]).toEqual([2, 1]);
  first.reads[1]?.resolve(2);
  await turn();
  expect(rest.reads).toHaveLength(2);
});
