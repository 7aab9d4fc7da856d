import { type Redact, redactText } from './redact-text.ts';

/** What the service sends of itself. Every other header was set by the endpoint's owner, and its value may be a secret. */
const ownHeaders: ReadonlySet<string> = new Set([
  'content-type',
  'content-length',
  'user-agent',
  'x-service-signature',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
  'x-service-event',
  'x-service-delivery',
  'x-service-attempt',
  'x-service-test',
  'traceparent',
  'tracestate',
]);

/** Whether a request header (in lower case, as all of ours are) is the service's own, so that everybody may see its value. */
export function isOwnHeader(name: string): boolean {
  return ownHeaders.has(name);
}

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

/** A text without its escapes. `at` says where in the original each character began, and at the end how long that was. */
type Plain = { readonly text: string; readonly at: readonly number[] | undefined };

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const letters: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
// The last one is an escape that the end of the text has cut off.
const escapes =
  /\\u([0-9a-f]{4})|\\(["'\\/bfnrt])|%([0-9a-f]{2})|&#x([0-9a-f]{1,6});|&#(\d{1,7});|&(amp|lt|gt|quot|apos);|(?:\\u?[0-9a-f]{0,3}|%[0-9a-f]?|&#?\w{0,7})$/gi;
/** An escape in an escape in an escape: what is escaped more often is not meant to be read. */
const mostTimes = 3;

/**
 * Takes the escapes of JSON, URLs and HTML out of a text, also those of the others in each other. It is not a decoder of any
 * of these: it finds words of printable ASCII, however they were written.
 */
function unescapeText(original: string): Plain {
  let plain: Plain = { text: original, at: undefined };
  for (let times = 0; times < mostTimes && /[\\%&]/.test(plain.text); times++) plain = unescapeOnce(plain);
  return plain;
}

function unescapeOnce({ text, at }: Plain): Plain {
  const places: number[] = [];
  let plain = '';
  let done = 0;
  const keep = (to: number): void => {
    for (let i = done; i < to; i++) places.push(at?.[i] ?? i);
    plain += text.slice(done, to);
  };
  for (const match of text.matchAll(escapes)) {
    keep(match.index);
    const character = characterOf(match);
    for (let i = 0; i < character.length; i++) places.push(at?.[match.index] ?? match.index);
    plain += character;
    done = match.index + match[0].length;
  }
  keep(text.length);
  places.push(at?.[text.length] ?? text.length);
  return { text: plain, at: places };
}

function characterOf([, unicode, letter, byte, hex, decimal, entity]: readonly (string | undefined)[]): string {
  if (letter !== undefined) return letters[letter] ?? letter;
  if (entity !== undefined) return entities[entity.toLowerCase()] ?? '';
  if (decimal !== undefined) return fromCode(Number(decimal));
  const code = unicode ?? byte ?? hex;
  return code === undefined ? '' : fromCode(Number.parseInt(code, 16));
}

function fromCode(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}
