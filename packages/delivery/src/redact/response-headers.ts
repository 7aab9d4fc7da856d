import { type Redact, redactText } from './redact-text.ts';

const maxHeaders = 32;
const maxValueLength = 256;

// Hop-by-hop noise that says nothing about the answer, and values that are secrets by definition.
const dropped: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'set-cookie',
  'authorization',
  'proxy-authorization',
  'proxy-authenticate',
  'www-authenticate',
]);

// Without a prototype, so that a header named __proto__ is plain data.
function emptyRecord(): Record<string, string> {
  return Object.create(null) as Record<string, string>;
}

/** What is kept of the response headers: at most 32, values redacted and cut to 256 characters, `retry-after` always. */
export function responseHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  redact: Redact = redactText,
): Record<string, string> {
  const kept = emptyRecord();
  let count = 0;
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || dropped.has(name) || (count >= maxHeaders && name !== 'retry-after')) continue;
    // Redacted as a whole: the start of a secret that the cut goes through would pass.
    kept[name] = redact(typeof value === 'string' ? value : value.join(', ')).slice(0, maxValueLength);
    count += 1;
  }
  return kept;
}
