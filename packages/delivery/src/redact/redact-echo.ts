import { isOwnHeader } from './own-headers.ts';
import { type Redact, redactText } from './redact-text.ts';
import { type Plain, unescapeText } from './unescape-text.ts';

/** Shorter words are too common in any text to be replaced, and no secret. */
const shortest = 6;
/** The longest form that a character of a secret is looked for in: `\u0026`. */
const longestEscape = 6;

/** How an answer is redacted, and the bytes of the longest secret that this looks for. */
export type EchoRedaction = { readonly redact: Redact; readonly longest: number };

/** Characters that may be compared for each one of the text: where nearly everything looks like a secret, the rest is one. */
const patience = 64;

/** Secrets by how they begin, the longest first: one may be the beginning of another. */
type Index = ReadonlyMap<string, readonly string[]>;

/**
 * The redaction for an answer to a request with these headers: a receiver that echoes what it got must not write the
 * values of the endpoint's own headers into the log of attempts, also not as JSON, a URL or HTML writes them. Without such
 * headers it is `redactText`. Takes time in proportion to the text, however many words the headers have.
 */
export function redactEcho(headers: Readonly<Record<string, string>>): EchoRedaction {
  const secrets: string[] = [];
  for (const name in headers) {
    if (!isOwnHeader(name)) secrets.push(...wordsOf(headers[name] ?? ''));
  }
  if (secrets.length === 0) return { redact: redactText, longest: 0 };
  let index: Index | undefined;
  return {
    // Most answers have nothing to redact: it is made for the first that has a text.
    redact: (text) => redactText(text.length < shortest ? text : redactSecrets(text, (index ??= indexOf(secrets)))),
    longest: longestEscape * Math.max(...secrets.map((secret) => secret.length)),
  };
}

/** A value and, where it is `Scheme credentials`, the credentials alone. */
function wordsOf(value: string): string[] {
  return [value, ...value.split(/[\s,;=:]+/)].filter((word) => word.length >= shortest);
}

/** Each secret as it is, as JSON writes it, and as it reads in a text that was unescaped, which may have taken from it too. */
function indexOf(secrets: readonly string[]): Index {
  const index = new Map<string, string[]>();
  const forms = new Set(
    secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), unescapeText(secret).text]),
  );
  for (const form of [...forms].sort((a, b) => b.length - a.length)) {
    const begin = form.slice(0, shortest);
    if (begin.length < shortest) continue;
    const others = index.get(begin);
    if (others) others.push(form);
    else index.set(begin, [form]);
  }
  return index;
}

function redactSecrets(text: string, index: Index): string {
  const plain = unescapeText(text);
  const found = rangesOf({ text, at: undefined }, index);
  if (plain.text !== text) found.push(...rangesOf(plain, index));
  let redacted = '';
  let done = 0;
  for (const [from, to] of found.sort(([a], [b]) => a - b)) {
    if (to <= done) continue;
    // What overlaps is one secret.
    if (from >= done) redacted += `${text.slice(done, from)}[redacted]`;
    done = to;
  }
  return redacted + text.slice(done);
}

/** Where secrets stand in the original text; the end of the text may have cut one off. */
function rangesOf({ text, at }: Plain, index: Index): [number, number][] {
  const ranges: [number, number][] = [];
  const place = (i: number): number => at?.[i] ?? i;
  let left = patience * text.length;
  const begins = (secret: string, i: number): boolean => {
    left -= secret.length;
    return secret.length <= text.length - i ? text.startsWith(secret, i) : secret.startsWith(text.slice(i));
  };
  for (let i = 0; i + shortest <= text.length; i++) {
    const secret = index.get(text.slice(i, i + shortest))?.find((one) => left <= 0 || begins(one, i));
    if (secret === undefined) continue;
    const end = left <= 0 ? text.length : Math.min(i + secret.length, text.length);
    ranges.push([place(i), place(end)]);
    i = end - 1;
  }
  return ranges;
}
