// One cheap test decides whether the patterns below need to run at all: most responses are a short "ok".
const suspicious = /[sprk]k_|whs|bearer|basic|auth|cookie|token|secret|passw|key|eyj/i;

// Every pattern is linear: what it may run through belongs to one beginning, or is consumed. And none has a minimum length,
// so a secret cut off at the end of the text is still caught.
const rules: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, '[redacted]'],
  [/((?:proxy-)?authorization|(?:set-)?cookie)(["']?\s*[:=]\s*["']?)[^"'\r\n]*/gi, '$1$2[redacted]'],
  [/\b(bearer|basic)\s+[\w.~+/=-]+/gi, '$1 [redacted]'],
  [/([sprk]k_(?:live|test)_)\w*/gi, '$1[redacted]'],
  [/(whs(?:ec|k)_)[\w+/=-]*/g, '$1[redacted]'],
  [/\beyJ[\w-]*(?:\.[\w-]*){0,2}/g, '[redacted]'],
  [
    /((?:api|access|secret|private)[_-]?key|(?:access|refresh|id|auth)?[_-]?token|(?:client[_-]?)?secret|passw(?:or)?d)(["']?\s*[:=]\s*["']?)[^\s"',;&}]*/gi,
    '$1$2[redacted]',
  ],
];

/** Replaces what must not be kept of a text. */
export type Redact = (text: string) => string;

/** Replaces what looks like a credential: service keys, webhook secrets, authorization values, tokens, private keys. */
export function redactText(text: string): string {
  if (!suspicious.test(text)) return text;
  return rules.reduce((redacted, [pattern, replacement]) => redacted.replace(pattern, replacement), text);
}

/** A URL for events and logs: without user info, query and fragment, which may carry a receiver's secret. */
export function redactUrl(raw: string): string {
  const url = URL.parse(raw);
  if (url === null) return '[invalid url]';
  url.username = '';
  url.password = '';
  url.search = '';
  url.hash = '';
  return url.href;
}

/** A URL for callers that may not know the endpoint: its origin only. */
export function redactPath(raw: string): string {
  const url = URL.parse(raw);
  return url === null ? '[invalid url]' : `${url.origin}/[redacted]`;
}
