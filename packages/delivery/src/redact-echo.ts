import { isOwnHeader } from './own-headers.ts';
import { type Redact, redactText } from './redact-text.ts';

/** Shorter words are too common in any text to be replaced, and no secret. */
const shortest = 6;

/** How an answer is redacted, and the bytes of the longest secret that this looks for. */
export type EchoRedaction = { readonly redact: Redact; readonly longest: number };

/**
 * The redaction for an answer to a request with these headers: a receiver that echoes what it got must not write the
 * values of the endpoint's own headers into the log of attempts. Without such headers it is `redactText`.
 */
export function redactEcho(headers: Readonly<Record<string, string>>): EchoRedaction {
  const secrets: string[] = [];
  for (const name in headers) {
    if (!isOwnHeader(name)) secrets.push(...wordsOf(headers[name] ?? ''));
  }
  if (secrets.length === 0) return { redact: redactText, longest: 0 };
  // The longest first: one may be a part of another.
  secrets.sort((a, b) => b.length - a.length);
  return {
    redact: (text) => redactText(secrets.reduce((left, secret) => left.replaceAll(secret, '[redacted]'), text)),
    longest: Math.max(...secrets.map((secret) => Buffer.byteLength(secret))),
  };
}

/** A value and, where it is `Scheme credentials`, the credentials alone; each also as JSON writes it. */
function wordsOf(value: string): string[] {
  const words = [value, ...value.split(/[\s,;=:]+/)].filter((word) => word.length >= shortest);
  return words.flatMap((word) => [word, JSON.stringify(word).slice(1, -1)]);
}
