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
const secretEndings = ['secret', 'token', 'password', 'apikey', 'privatekey'];

/** Masks API keys, signing secrets, bearer tokens and the credentials of URLs. */
export function maskText(text: string): string {
  return (
    text
      // The name of a cell before a whole key is no secret.
      .replace(
        /\b(sk_(?:live|test)_(?:[a-z][a-z0-9]{0,11}_(?=[0-9A-Za-z]{36}\b))?|whsec_)[A-Za-z0-9+/=_-]+/g,
        `$1${masked}`,
      )
      .replace(/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]+/gi, `$1 ${masked}`)
      .replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi, `$1${masked}@`)
  );
}

/** True for the name of a secret in any spelling: `api_key`, `apiKey`, `X-Api-Key`. */
export function isSecretName(name: string): boolean {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  return secretNames.has(plain) || secretEndings.some((ending) => plain.endsWith(ending));
}

/** Returns a copy that is safe to log as JSON: secrets are masked by name and by form, bytes replaced by their length. */
export function maskFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return maskObject(fields, 0);
}

function maskObject(value: object, depth: number): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) {
    const empty = inner === undefined || inner === null || inner === '';
    copy[name] = isSecretName(name) && !empty ? masked : maskValue(inner, depth + 1);
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
