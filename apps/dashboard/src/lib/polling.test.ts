// Risk: a page gets old while its badge says that it refreshes every 15 seconds.
// Risk: a page says that changes appear automatically, and shows outdated data that no event reports.

import { operationList } from '@finhook/contracts';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, onTestFinished, test, vi } from 'vitest';
import { polledParts, pollSilentChanges, pollWhenDisconnected } from './polling.ts';

test('visible queries refetch every 15 seconds only while the stream is down', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const client = new QueryClient();
  let reads = 0;
  const observer = new QueryObserver(client, { queryKey: ['list'], queryFn: () => ++reads, staleTime: Infinity });
  onTestFinished(observer.subscribe(() => undefined));
  const outOfView = vi.fn(() => 1);
  await client.prefetchQuery({ queryKey: ['left'], queryFn: outOfView });
  let state: 'live' | 'disconnected' = 'live';
  const listeners: (() => void)[] = [];
  pollWhenDisconnected(
    {
      state: () => state,
      subscribe(notify) {
        listeners.push(notify);
        return () => undefined;
      },
    },
    client,
  );
  const become = (next: typeof state): void => {
    state = next;
    for (const notify of listeners) notify();
  };
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reads).toBe(1);
  become('disconnected');
  await vi.advanceTimersByTimeAsync(45_000);
  expect(reads).toBe(4);
  expect(outOfView).toHaveBeenCalledTimes(1);
  become('live');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reads).toBe(4);
});

/** The pages of these operations poll on their own; a sync and a redelivery end with an event. */
const followed = ['bank.connections.sync', 'deliveries.', 'events.'];

const silent = operationList
  .filter(({ kind, emits }) => kind === 'mutation' && emits.length === 0)
  .map(({ id }) => id)
  .filter((id) => !followed.some((prefix) => id.startsWith(prefix)));

test.each(silent)('the data that %s changes without an event is polled', (id) => {
  const client = new QueryClient();
  pollSilentChanges(client);
  const path = [...id.split('.').slice(0, -1), 'list'];
  expect(client.getQueryDefaults([path, { type: 'query' }]).refetchInterval).toBeGreaterThan(0);
});

test('data whose changes are events is not polled', () => {
  const client = new QueryClient();
  pollSilentChanges(client);
  for (const path of [
    ['bank', 'transactions', 'list'],
    ['cash', 'onHand'],
    ['financials', 'burn'],
    ['companies', 'list'],
  ])
    expect(client.getQueryDefaults([path, { type: 'query' }])).toEqual({});
  expect(polledParts().length).toBeGreaterThan(0);
});
