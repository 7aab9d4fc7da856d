// Risk: a page gets old while its badge says that it refreshes every 15 seconds.
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, onTestFinished, test, vi } from 'vitest';
import { pollWhenDisconnected } from './poll-when-disconnected.ts';

test('D39: any query in view is read every 15 seconds while the stream is down, and not after', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const client = new QueryClient();
  let reads = 0;
  const observer = new QueryObserver(client, { queryKey: ['list'], queryFn: () => ++reads, staleTime: Infinity });
  onTestFinished(observer.subscribe(() => undefined));
  const outOfView = vi.fn(() => 1);
  await client.prefetchQuery({ queryKey: ['left'], queryFn: outOfView });
  let state: 'live' | 'disconnected' = 'live';
  const told: (() => void)[] = [];
  pollWhenDisconnected(
    {
      state: () => state,
      subscribe(tell) {
        told.push(tell);
        return () => undefined;
      },
    },
    client,
  );
  const become = (next: typeof state): void => {
    state = next;
    for (const tell of told) tell();
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
