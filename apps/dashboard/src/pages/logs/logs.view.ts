import type { Tone } from '../../components/badge.tsx';
import type { Outputs } from '../../lib/trpc.ts';
import { dayStart } from '../../lib/zoned-time.ts';

export type LogRow = Outputs['activity']['list']['data'][number];
export type DeliverySummary = LogRow['events'][number]['deliveries'];

type Search = Readonly<Record<string, string | undefined>>;

export function logFilters({ from, to, log_company: company, ...filters }: Search, zone: string): Search {
  return {
    ...filters,
    company_id: company,
    created_from: from && (dayStart(from, zone) ?? from),
    created_to: to && (dayStart(to, zone, 1) ?? to),
  };
}

export function sumOf(events: LogRow['events']): DeliverySummary {
  const sum = (name: keyof DeliverySummary) => events.reduce((total, { deliveries }) => total + deliveries[name], 0);
  return {
    total: sum('total'),
    succeeded: sum('succeeded'),
    pending: sum('pending'),
    failed: sum('failed'),
    cancelled: sum('cancelled'),
  };
}

export function deliveryText(sum: DeliverySummary): { text: string; tone: Tone } {
  if (sum.total === 0) return { text: 'No endpoints', tone: 'neutral' };
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

export function changedFields(before: unknown, after: unknown): ChangedField[] {
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  if (old.size === 0 || now.size === 0) return [];
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((field) => field !== 'updated_at' && JSON.stringify(old.get(field)) !== JSON.stringify(now.get(field)))
    .map((field) => ({ field, before: old.get(field), after: now.get(field) }));
}

export function cellText(value: unknown): string {
  if (value === undefined || value === null) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * Finds one row by the time in its id. A rejected request is logged later, so the window is wider. Undefined for other
 * text.
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

const PENDING_MS = 1_500;
const RECENT_MS = 60_000;
const IDLE_MS = 10_000;

export function refetchDelay(rows: readonly LogRow[], now: number): number {
  const isRecent = (row: LogRow): boolean => now - Date.parse(row.created_at) < RECENT_MS;
  return rows.some((row) => isRecent(row) && sumOf(row.events).pending > 0) ? PENDING_MS : IDLE_MS;
}
