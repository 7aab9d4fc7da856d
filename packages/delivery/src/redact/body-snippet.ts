import { type Redact, redactText } from './redact-text.ts';

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
