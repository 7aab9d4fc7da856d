import { useSyncExternalStore } from 'react';
import { formatAgo, formatDay, formatInstant, formatShort, instantTitle, withLocalTimes } from '../lib/format-time.ts';
import { useZone } from './shell/company-context.ts';

const TICK_MS = 10_000;

let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) now = Date.now();
  timer ??= setInterval(() => {
    now = Date.now();
    for (const notify of listeners) notify();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

function Timestamp({ at, children }: { at: string; children: string }): React.JSX.Element {
  return (
    <time dateTime={at} title={instantTitle(at, useZone())} className="whitespace-nowrap">
      {children}
    </time>
  );
}

export function Instant({ at, seconds = false }: { at: string; seconds?: boolean }): React.JSX.Element {
  return <Timestamp at={at}>{formatInstant(at, useZone(), seconds)}</Timestamp>;
}

/** For a column whose header names the zone. */
export function ShortInstant({ at }: { at: string }): React.JSX.Element {
  return <Timestamp at={at}>{formatShort(at, useZone())}</Timestamp>;
}

export function Ago({ at }: { at: string }): React.JSX.Element {
  const current = useNow();
  const moment = Date.parse(at);
  // The clock stops between ticks: an event since the last tick is not in the future.
  const justNow = moment > current && moment - current < 2 * TICK_MS;
  return <Timestamp at={at}>{formatAgo(at, justNow ? moment : current)}</Timestamp>;
}

export function Ahead({ at }: { at: string }): React.JSX.Element {
  return <Timestamp at={at}>{formatAgo(at, Math.min(useNow(), Date.parse(at)))}</Timestamp>;
}

export function LocalTimes({ text }: { text: string }): React.JSX.Element {
  return <>{withLocalTimes(text, useZone())}</>;
}

export function Day({ day }: { day: string }): React.JSX.Element {
  return (
    <time dateTime={day} className="whitespace-nowrap">
      {formatDay(day)}
    </time>
  );
}
