import { plural } from '../../../lib/text.ts';
import type { Inputs } from '../../../lib/trpc.ts';

export type ReplayInput = Inputs['webhookEndpoints']['replay'];

export const selections = [
  ['failed', 'Failed deliveries', 'Failed deliveries that haven’t been redelivered'],
  ['missing', 'Missed events', 'Failed deliveries, and events from before the endpoint or its filter existed'],
  ['all', 'All events', 'Includes delivered events. Your server receives the same event IDs again.'],
] as const;

export function isRecover(input: Omit<ReplayInput, 'endpoint_id'>): boolean {
  return input.only === 'failed' && input.until == null && input.types == null && input.company_id == null;
}

const COUNTED_TO = 100_000;

export function countWords(matched: number): string {
  const words = plural(matched, 'event');
  return matched >= COUNTED_TO ? `${words} or more` : words;
}

export function progressOf(replay: {
  matched: number;
  delivered: number;
  failed: number;
  cancelled: number;
  status: string;
}): number {
  if (replay.status === 'completed') return 100;
  const ended = replay.delivered + replay.failed + replay.cancelled;
  return replay.matched === 0 ? 0 : Math.min(100, Math.floor((ended / replay.matched) * 100));
}

export function progressText(
  replay: Record<'matched' | 'delivered' | 'open' | 'failed' | 'cancelled', number>,
): string {
  const counts = [
    [replay.open, 'pending'],
    [replay.failed, 'failed'],
    [replay.cancelled, 'cancelled'],
  ] as const;
  const rest = counts.filter(([count]) => count > 0).map(([count, word]) => `, ${count.toLocaleString('en')} ${word}`);
  return `${replay.delivered.toLocaleString('en')} of ${replay.matched.toLocaleString('en')} delivered${rest.join('')}`;
}

const waits: Readonly<Record<string, string>> = {
  endpoint_paused: 'On hold: the endpoint is paused.',
  endpoint_disabled: 'On hold: the endpoint is disabled.',
  endpoint_failing: 'Slowed down: the endpoint is failing.',
  fresh_events: 'On hold: new events are delivered first.',
};

export function describeWait(waitingFor: string | null): string | undefined {
  return waitingFor === null ? undefined : (waits[waitingFor] ?? waitingFor.replaceAll('_', ' '));
}
