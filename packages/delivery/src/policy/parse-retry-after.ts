const maxRetryAfterMs = 24 * 60 * 60 * 1000;

const months = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec';
const time = '\\d{2}:\\d{2}:\\d{2}';

// The three forms of HTTP-date that RFC 9110 5.6.7 obliges a recipient to read.
const httpDates = [
  new RegExp(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \\d{2} (?:${months}) \\d{4} ${time} GMT$`),
  new RegExp(`^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \\d{2}-(?:${months})-\\d{2} ${time} GMT$`),
  new RegExp(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (?:${months}) [ \\d]\\d ${time} \\d{4}$`),
];

/**
 * The wait in milliseconds that a Retry-After header asks for (RFC 9110 10.2.3): delta seconds or HTTP-date,
 * at most 24 h, 0 for a date that has passed, undefined for anything else.
 */
export function parseRetryAfter(value: string | undefined, now: Date): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, maxRetryAfterMs);
  if (!httpDates.some((form) => form.test(text))) return undefined;
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  if (Number.isNaN(at)) return undefined;
  return Math.min(Math.max(at - now.getTime(), 0), maxRetryAfterMs);
}
