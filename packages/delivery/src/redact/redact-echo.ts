import { type Redact, redactText } from './redact-text.ts';

// Headers of the service. All others are the endpoint owner's, and may be secrets.
const ownHeaders: ReadonlySet<string> = new Set([
  'content-type',
  'content-length',
  'user-agent',
  'accept-encoding',
  'x-service-signature',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
  'x-service-event',
  'x-service-delivery',
  'x-service-sequence',
  'x-service-attempt',
  'x-service-test',
  'traceparent',
  'tracestate',
]);

export function isOwnHeader(name: string): boolean {
  return ownHeaders.has(name);
}

/** Shorter words are too common to redact. */
const minSecretLength = 6;
const maxEscapeLength = 6;

/** `longest`: maximum bytes of a redacted secret, escapes included. */
export type EchoRedaction = { readonly redact: Redact; readonly longest: number };

/** Maximum comparisons per character; after that, the rest of the text is redacted. */
const comparisonBudget = 64;

/** Secrets by their first characters, longest first, because one may be a prefix of another. */
type Index = ReadonlyMap<string, readonly string[]>;

/** Redacts the endpoint's own header values that a receiver echoes, plain or escaped for JSON, URLs or HTML. */
export function redactEcho(headers: Readonly<Record<string, string>>): EchoRedaction {
  const secrets: string[] = [];
  for (const name in headers) {
    if (!isOwnHeader(name)) secrets.push(...wordsOf(headers[name] ?? ''));
  }
  if (secrets.length === 0) return { redact: redactText, longest: 0 };
  let index: Index | undefined;
  return {
    // Built lazily: most responses have no body.
    redact: (text) =>
      redactText(text.length < minSecretLength ? text : redactSecrets(text, (index ??= indexOf(secrets)))),
    longest: maxEscapeLength * Math.max(...secrets.map((secret) => secret.length)),
  };
}

/** The value and its words: in `Scheme credentials` the credentials are a secret of their own. */
function wordsOf(value: string): string[] {
  return [value, ...value.split(/[\s,;=:]+/)].filter((word) => word.length >= minSecretLength);
}

function indexOf(secrets: readonly string[]): Index {
  const index = new Map<string, string[]>();
  const forms = new Set(
    secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), unescapeText(secret).text]),
  );
  for (const form of [...forms].sort((a, b) => b.length - a.length)) {
    const start = form.slice(0, minSecretLength);
    if (start.length < minSecretLength) continue;
    const others = index.get(start);
    if (others) others.push(form);
    else index.set(start, [form]);
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
    if (from >= done) redacted += `${text.slice(done, from)}[redacted]`;
    done = to;
  }
  return redacted + text.slice(done);
}

/** Ranges in the original text. The last secret may be truncated by its end. */
function rangesOf({ text, at }: Plain, index: Index): [number, number][] {
  const ranges: [number, number][] = [];
  const positionOf = (i: number): number => at?.[i] ?? i;
  let left = comparisonBudget * text.length;
  const startsAt = (secret: string, i: number): boolean => {
    left -= secret.length;
    return secret.length <= text.length - i ? text.startsWith(secret, i) : secret.startsWith(text.slice(i));
  };
  for (let i = 0; i + minSecretLength <= text.length; i++) {
    const secret = index.get(text.slice(i, i + minSecretLength))?.find((one) => left <= 0 || startsAt(one, i));
    if (secret === undefined) continue;
    const end = left <= 0 ? text.length : Math.min(i + secret.length, text.length);
    ranges.push([positionOf(i), positionOf(end)]);
    i = end - 1;
  }
  return ranges;
}

/** An unescaped text. `at` maps each character, and the end, to its position in the original. */
type Plain = { readonly text: string; readonly at: readonly number[] | undefined };

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const letters: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
// The last alternative is an escape truncated by the end.
const escapes =
  /\\u([0-9a-f]{4})|\\(["'\\/bfnrt])|%([0-9a-f]{2})|&#x([0-9a-f]{1,6});|&#(\d{1,7});|&(amp|lt|gt|quot|apos);|(?:\\u?[0-9a-f]{0,3}|%[0-9a-f]?|&#?\w{0,7})$/gi;
const maxPasses = 3;

/** Removes the escapes of JSON, URLs and HTML, even nested ones. Only exact for printable ASCII. */
function unescapeText(original: string): Plain {
  let plain: Plain = { text: original, at: undefined };
  for (let pass = 0; pass < maxPasses && /[\\%&]/.test(plain.text); pass++) plain = unescapeOnce(plain);
  return plain;
}

function unescapeOnce({ text, at }: Plain): Plain {
  const positions: number[] = [];
  let plain = '';
  let done = 0;
  const keep = (to: number): void => {
    for (let i = done; i < to; i++) positions.push(at?.[i] ?? i);
    plain += text.slice(done, to);
  };
  for (const match of text.matchAll(escapes)) {
    keep(match.index);
    const character = characterOf(match);
    for (let i = 0; i < character.length; i++) positions.push(at?.[match.index] ?? match.index);
    plain += character;
    done = match.index + match[0].length;
  }
  keep(text.length);
  positions.push(at?.[text.length] ?? text.length);
  return { text: plain, at: positions };
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
