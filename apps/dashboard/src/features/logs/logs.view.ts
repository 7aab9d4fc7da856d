import type { Outputs } from '../../data/trpc.ts';
import type { Tone } from '../../ui/badge.tsx';
import { dayStart } from '../../ui/zoned-time.ts';
import type { LogSearch } from './log-search.ts';

export type LogRow = Outputs['activity']['list']['data'][number];
export type DeliverySummary = LogRow['events'][number]['deliveries'];

/** The filters as the service takes them, also for exports. Days are those of `zone`, and the last one is included. */
export function logFilters(search: LogSearch, zone: string): Record<string, string | undefined> {
  const { from, to } = search;
  return {
    type: search.type,
    actor_type: search.actor_type,
    actor_id: search.actor_id,
    action: search.action,
    company_id: search.log_company,
    resource_id: search.resource_id,
    created_from: from && (dayStart(from, zone) ?? from),
    created_to: to && (dayStart(to, zone, 1) ?? to),
  };
}

/** How the deliveries of all events of a row went together. */
export function sumOf(events: LogRow['events']): DeliverySummary {
  const sum: DeliverySummary = { total: 0, succeeded: 0, pending: 0, failed: 0, cancelled: 0 };
  for (const { deliveries } of events) {
    sum.total += deliveries.total;
    sum.succeeded += deliveries.succeeded;
    sum.pending += deliveries.pending;
    sum.failed += deliveries.failed;
    sum.cancelled += deliveries.cancelled;
  }
  return sum;
}

/** `3/3 delivered`, `1/3 delivered, 2 failed`: worst first in its tone. */
export function summaryWords(sum: DeliverySummary): { text: string; tone: Tone } {
  if (sum.total === 0) return { text: 'No endpoint', tone: 'neutral' };
  const rest = [
    sum.failed > 0 ? `${sum.failed} failed` : '',
    sum.pending > 0 ? `${sum.pending} pending` : '',
    sum.cancelled > 0 ? `${sum.cancelled} cancelled` : '',
  ].filter(Boolean);
  const text = [`${sum.succeeded}/${sum.total} delivered`, ...rest].join(', ');
  if (sum.failed > 0) return { text, tone: 'bad' };
  if (sum.pending > 0) return { text, tone: 'info' };
  return { text, tone: sum.cancelled > 0 ? 'neutral' : 'good' };
}

export interface ChangedField {
  field: string;
  before: unknown;
  after: unknown;
}

function fieldsOf(value: unknown): Map<string, unknown> {
  return new Map(typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []);
}

/** The fields that differ, in the order of the record; that it was changed at all says nothing (`updated_at`). */
export function changedFields(before: unknown, after: unknown): ChangedField[] {
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  if (old.size === 0 || now.size === 0) return [];
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((field) => field !== 'updated_at' && JSON.stringify(old.get(field)) !== JSON.stringify(now.get(field)))
    .map((field) => ({ field, before: old.get(field), after: now.get(field) }));
}

/** A value in a cell: text as it is, nothing as a dash, everything else as JSON. */
export function cellText(value: unknown): string {
  if (value === undefined || value === null) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * The filter that finds one row of the log: its id says when it was written. A refused request is told of a moment
 * later than it was made, so the window is wider than the id is exact. Undefined for what is no id of a row.
 */
export function aroundRow(id: string): { created_from: string; created_to: string } | undefined {
  const time = /^aud_([0-9a-hjkmnp-tv-z]{10})[0-9a-hjkmnp-tv-z]{16}$/.exec(id)?.[1];
  if (time === undefined || time > '7zzzzzzzzz') return undefined;
  let ms = 0;
  for (const char of time) ms = ms * 32 + ALPHABET.indexOf(char);
  if (ms > Date.UTC(9999, 0)) return undefined;
  return {
    created_from: new Date(Math.max(ms - 3_000, 0)).toISOString(),
    created_to: new Date(ms + 1_000).toISOString(),
  };
}

const SOON_MS = 1_500;
const YOUNG_MS = 60_000;
const CALM_MS = 10_000;

/**
 * When to read the newest rows again although nothing was told: what emits no event (sign-ins, refusals, decisions)
 * comes only so, and so does how deliveries went, which is followed closely for the first minute.
 */
export function readAgainAfter(rows: readonly LogRow[], now: number): number {
  const isFresh = (row: LogRow): boolean => now - Date.parse(row.created_at) < YOUNG_MS;
  return rows.some((row) => isFresh(row) && sumOf(row.events).pending > 0) ? SOON_MS : CALM_MS;
}
