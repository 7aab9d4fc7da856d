const REDACTED = '[redacted]';

// For keys without their separators. Doesn't match business terms: secretary, bearer shares, a board's authorization.
const SECRET_KEY = new RegExp(
  [
    'passw(or)?d|passphrase|^pwd$|apikey|accesskey|privatekey|signingkey|credential|^otp$|^cvv$|^cvc$|^pin$',
    'secret(?!ar(y|ies|ial|iat))',
    'token',
    '^(x|proxy|forwarded|http|request|aws)*authorization(headers?|code|value|key)?$',
    'cookie(?!polic|consent|banner|notice)',
    'bearer(?!shares?|bonds?|instruments?)',
  ].join('|'),
);
/** Counts such as `max_tokens` and `token_count` are not secrets. */
const COUNT_KEY = /tokens$|tokens?(count|limit|usage|budget)$/;
/** Keys and webhook secrets of this service, and credentials of an Authorization header. */
const SECRET_TEXT =
  /\bsk_(?:live|test)_(?:[a-z][a-z0-9]{0,11}_)?[0-9A-Za-z]{36}|\bwhsec_[0-9A-Za-z+/=]{16,}|\b(?:Bearer|Basic) [0-9A-Za-z._~+/=-]{8,}/g;

function isSecret(key: string, value: unknown): boolean {
  if (value === null || typeof value === 'boolean') return false;
  const name = key.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  return SECRET_KEY.test(name) && !(typeof value === 'number' && COUNT_KEY.test(name));
}

/** Replaces, at any depth, the values of keys that look like secrets and text that looks like a credential. */
export function redactSecrets(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(SECRET_TEXT, REDACTED);
  if (Array.isArray(value)) return value.map(redactSecrets);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, isSecret(key, member) ? REDACTED : redactSecrets(member)]),
  );
}
