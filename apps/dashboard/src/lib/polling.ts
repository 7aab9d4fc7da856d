import type { QueryClient } from '@tanstack/react-query';
import { emits } from '../operation/operations.catalogue.ts';
import type { LiveFeed } from './live-feed.ts';
import { changedParts, partOf } from './refetch-changed.ts';

const POLL_ALL_MS = 15_000;

export function pollWhenDisconnected(feed: Pick<LiveFeed, 'state' | 'subscribe'>, client: QueryClient): void {
  let timer: ReturnType<typeof setInterval> | undefined;
  const read = (): void => void client.refetchQueries({ type: 'active' }, { cancelRefetch: false });
  feed.subscribe(() => {
    clearInterval(timer);
    timer = feed.state() === 'disconnected' ? setInterval(read, POLL_ALL_MS) : undefined;
  });
}

const POLL_SILENT_MS = 5_000;

/** The parts of the operations table that change without an event, and that no other event refetches. */
export function polledParts(): readonly string[] {
  const refetched = changedParts({ events: [] });
  const silent = Object.entries(emits).filter(([, types]) => types.length === 0);
  return [...new Set(silent.map(([id]) => partOf(id)))].filter((part) => !refetched.has(part));
}

/** Polls what the stream does not report: decisions on wires, cases that are opened or moved, sessions that end. */
export function pollSilentChanges(client: QueryClient): void {
  for (const part of polledParts()) client.setQueryDefaults([part.split('.')], { refetchInterval: POLL_SILENT_MS });
}
