import { plural } from '../../../lib/text.ts';
import type { Inputs } from '../../../lib/trpc.ts';
import { instantOf } from '../../../lib/zoned-time.ts';

export type ReplayInput = Inputs['webhookEndpoints']['replay'];

export const selections = [
  ['failed', 'Failed deliveries', 'Failed deliveries that haven’t been redelivered'],
  ['missing', 'Missed events', 'Failed deliveries, and events from before the endpoint or its filter existed'],
  ['all', 'All events', 'Includes delivered events. Your server receives the same event IDs again.'],
] as const;
type Selection = (typeof selections)[number][0];

export interface ReplayDraft {
  only: Selection;
  since: string;
  until: string;
  types: readonly string[];
  allTypes: boolean;
  companyId: string;
}

export interface ReplayErrors {
  since?: string;
  until?: string;
  types?: string;
}

const needsTime = 'Enter a date and time.';

export function readReplay(
  draft: ReplayDraft,
  zone: string,
): { input: Omit<ReplayInput, 'endpoint_id'> } | { errors: ReplayErrors } {
  const since = instantOf(draft.since, zone);
  const until = draft.until === '' ? null : instantOf(draft.until, zone);
  const noTypes = !draft.allTypes && draft.types.length === 0;
  if (since === undefined || until === undefined || noTypes) {
    return {
      errors: {
        ...(since === undefined && { since: needsTime }),
        ...(until === undefined && { until: needsTime }),
        ...(noTypes && { types: 'Select at least one event type.' }),
      },
    };
  }
  return {
    input: {
      since,
      only: draft.only,
      ...(until !== null && { until }),
      ...(!draft.allTypes && { types: [...draft.types] }),
      ...(draft.companyId !== '' && { company_id: draft.companyId }),
    },
  };
}

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
