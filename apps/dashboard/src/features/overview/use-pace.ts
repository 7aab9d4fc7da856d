import { usePollMs } from '../../data/live.ts';

/** Ages and days pass without an event: what shows them is read again every minute. */
const LIVE_MS = 60_000;

/** `refetchInterval` of the overview: every 15 seconds while the stream is down, every minute while it tells of changes. */
export function usePace(): number {
  const poll = usePollMs();
  return poll === false ? LIVE_MS : poll;
}
