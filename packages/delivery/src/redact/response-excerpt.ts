import { type Redact, redactText } from './redact-text.ts';

const maxHeaders = 32;
const maxValueLength = 256;

// Hop-by-hop headers, and headers whose values are secrets.
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

/** Keeps at most 32 headers, and `retry-after` always. Values are redacted and truncated to 256 characters. */
export function responseHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  redact: Redact = redactText,
): Record<string, string> {
  const kept = emptyRecord();
  let count = 0;
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || dropped.has(name) || (count >= maxHeaders && name !== 'retry-after')) continue;
    // Redacted before truncation, which could leave the start of a secret.
    kept[name] = redact(typeof value === 'string' ? value : value.join(', ')).slice(0, maxValueLength);
    count += 1;
  }
  return kept;
}

// Control characters except tab and newline (PostgreSQL text rejects NUL), and the marks that reorder text.
const unprintable = /[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/**
 * Keeps the start of a response body: valid, printable, redacted UTF-8 of at most `maxBytes` bytes. A compressed body
 * is not unpacked: the service requests none, and unpacking one is a risk.
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

// `stream` drops a truncated last character, where a plain decode would add U+FFFD.
function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes, { stream: true });
}
