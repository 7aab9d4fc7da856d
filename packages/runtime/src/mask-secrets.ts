const masked = '[masked]';
const maxDepth = 8;

const secretNames = new Set([
  'apikey',
  'authorization',
  'cookie',
  'kek',
  'key',
  'passwd',
  'password',
  'pepper',
  'proxyauthorization',
  'pwd',
  'secret',
  'setcookie',
  'token',
]);
const rowFields = new Set(['detail', 'where', 'internalQuery', 'parameters', 'params', 'query', 'sql']);
const secretEndings = [
  'secret',
  'token',
  'password',
  'passphrase',
  'apikey',
  'accesskey',
  'encryptionkey',
  'privatekey',
  'secretkey',
  'secretskey',
  'signingkey',
];

/** A cheap test first: most texts contain no secret. */
const suspicious = /sk_|whs(?:ec|k)_|\b(?:bearer|basic)\s|:\/\/|[?&]|[\w-]{43}/i;

/** In order. The cell's name before a whole key is no secret. */
const forms: readonly (readonly [RegExp, string])[] = [
  // A whole key matches within a word, too.
  [/(sk_(?:live|test)_(?:[a-z][a-z0-9]{0,11}_)?)[0-9A-Za-z]{36}[\w-]*/g, `$1${masked}`],
  [
    /(?<![0-9A-Za-z])(sk_(?:live|test)_)(?!(?:[a-z][a-z0-9]{0,11}_)?\[masked\])(?:[\w+=-]|%[0-9a-f]{2})+/gi,
    `$1${masked}`,
  ],
  [/(whs(?:ec|k)_)(?:[\w+/=-]|%[0-9a-f]{2})+/gi, `$1${masked}`],
  [/\b(Bearer|Basic)\s+(?!sk_(?![0-9A-Za-z]))[\w.~+/=-]+/gi, `$1 ${masked}`],
  // A password may contain @: the last one ends it, as in a URL parser.
  [/([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/]+@/gi, `$1${masked}@`],
  // Matches encoded queries within a query, too.
  [
    /((?:[?&]|%3f|%26)(?:link|code|token|user_code|device_code|access_token|key|api_key|secret|password)(?:=|%3d))[^\s&#"'<>]+/gi,
    `$1${masked}`,
  ],
  // Tokens of sessions, sign-in links and device logins: 32 random bytes in base64url. One in 1,500 has no digit.
  [/(?<![\w+/=-])(?=[\w-]*[A-Z])(?=[\w-]*[a-z])[\w-]{43}(?![\w+=-])/g, masked],
];

/** Unreserved characters (RFC 3986, section 2.3), percent-encoded once or more. */
const ENCODED_UNRESERVED = /%(?:25)*(?:2[de]|3\d|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae])/gi;

/**
 * Masks keys, signing secrets, tokens, and credentials of URLs, even percent-encoded. Used for all logs and stored
 * requests.
 */
export function maskText(text: string): string {
  if (!suspicious.test(text) && !text.includes('%')) return text;
  const plain = text.replaceAll(ENCODED_UNRESERVED, (code) => String.fromCharCode(Number.parseInt(code.slice(-2), 16)));
  const found = forms.reduce((rest, [form, replacement]) => rest.replaceAll(form, replacement), plain);
  return found === plain ? text : found;
}

/** Masks every text of a JSON value, names of fields included. */
export function maskStrings<T>(value: T): T {
  return maskInner(value) as T;
}

function maskInner(value: unknown): unknown {
  if (typeof value === 'string') return maskText(value);
  if (Array.isArray(value)) return value.map(maskInner);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [maskText(name), maskInner(inner)]));
}

/** True for the name of a secret in any spelling: `api_key`, `apiKey`, `X-Api-Key`. */
export function isSecretName(name: string): boolean {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  return secretNames.has(plain) || secretEndings.some((ending) => plain.endsWith(ending));
}

/** Returns a copy that is safe to log: secrets are masked by name and by form, bytes replaced by their length. */
export function maskFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return maskObject(fields, 0);
}

function maskObject(value: object, depth: number): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) {
    const empty = inner === undefined || inner === null || inner === '';
    copy[maskText(name)] = isSecretName(name) && !empty ? masked : maskValue(inner, depth + 1);
  }
  return copy;
}

function maskValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return maskText(value);
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'function' || typeof value === 'symbol') return undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (depth > maxDepth) return '[too deep]';
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  if (value instanceof URL) return maskText(value.href);
  if (value instanceof Error) return maskError(value, depth);
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return value.map((inner) => maskValue(inner, depth + 1));
  if (value instanceof Set) return maskValue([...value], depth);
  if (value instanceof Map) return maskObject(Object.fromEntries<unknown>(value), depth);
  return maskObject(value, depth);
}

function maskError(error: Error, depth: number): Record<string, unknown> {
  return {
    type: error.name,
    message: maskText(error.message),
    stack: maskText(error.stack ?? ''),
    ...(error.cause === undefined ? {} : { cause: maskValue(error.cause, depth + 1) }),
    ...maskObject(Object.fromEntries(Object.entries(error).filter(([name]) => !rowFields.has(name))), depth),
  };
}
