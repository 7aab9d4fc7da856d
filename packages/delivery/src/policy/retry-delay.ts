const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** The waits before the ten attempts: the example schedule of Standard Webhooks 1.0.0, 75 h in all. */
export const retryScheduleMs: readonly number[] = [
  0,
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

export const defaultMaxAttempts = retryScheduleMs.length;

const jitter = 0.2;

export type RetryTiming = {
  /** Multiplies every wait; 1 in production. */
  readonly scale: number;
  readonly random: () => number;
  /** The wait before each attempt including the first, in ms. Default: `retryScheduleMs`. */
  readonly schedule?: readonly number[] | undefined;
};

/** The wait after failed attempt `attempt` (from 1), ±20 %. The last step of the schedule repeats. */
export function nextDelayMs({ attempt, scale, random, schedule }: RetryTiming & { readonly attempt: number }): number {
  const steps = schedule ?? retryScheduleMs;
  const step = steps[Math.min(attempt, steps.length - 1)] ?? 0;
  return Math.round(step * scale * (1 - jitter + 2 * jitter * random()));
}

const maxRetryAfterMs = 24 * 60 * 60 * 1000;

const months = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec';
const time = '\\d{2}:\\d{2}:\\d{2}';

// The three forms of HTTP-date (RFC 9110 section 5.6.7).
const httpDates = [
  new RegExp(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \\d{2} (?:${months}) \\d{4} ${time} GMT$`),
  new RegExp(`^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \\d{2}-(?:${months})-\\d{2} ${time} GMT$`),
  new RegExp(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (?:${months}) [ \\d]\\d ${time} \\d{4}$`),
];

// The first comma of a date is part of it.
const listItems = /[ \t]*((?:[A-Z][a-z]{2,8}, )?[^,]+)/g;

/**
 * RFC 9110 section 10.2.3, in ms: at most 24 h, 0 for a past date, undefined if invalid. The longest of several counts.
 */
export function parseRetryAfter(value: string | undefined, now: Date): number | undefined {
  let longest: number | undefined;
  for (const [, item = ''] of (value ?? '').matchAll(listItems)) {
    const wait = waitOf(item.trim(), now);
    if (wait !== undefined) longest = Math.max(wait, longest ?? 0);
  }
  return longest;
}

function waitOf(text: string, now: Date): number | undefined {
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, maxRetryAfterMs);
  if (!httpDates.some((form) => form.test(text))) return undefined;
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  if (Number.isNaN(at)) return undefined;
  return Math.min(Math.max(at - now.getTime(), 0), maxRetryAfterMs);
}
