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

// Control characters except tab and newline (PostgreSQL text refuses NUL), and the marks that reorder what is shown.
const unprintable = /[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/**
 * What is kept of a response body for people to read: valid UTF-8, printable, redacted, at most `maxBytes` bytes.
 * A compressed body is only named, never unpacked: the service asks for none, and unpacking one is a risk.
 */
export function bodySnippet(
  bytes: Uint8Array,
  contentEncoding: string | undefined,
  maxBytes: number,
  redact: Redact = redactText,
): string {
  if (bytes.length === 0) return '';
  if (contentEncoding !== undefined && contentEncoding.toLowerCase() !== 'identity') {
    return '[compressed response body]';
  }
  const text = redact(decode(bytes).replace(unprintable, ''));
  return text.length * 3 <= maxBytes ? text : truncate(text, maxBytes);
}

function truncate(text: string, maxBytes: number): string {
  const bytes = new TextEncoder().encode(text);
  return bytes.length <= maxBytes ? text : decode(bytes.subarray(0, maxBytes));
}

// `stream` holds back a character that the cut went through, where a plain decode would show a replacement mark.
function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes, { stream: true });
}
