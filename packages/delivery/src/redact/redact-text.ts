// A cheap test first: most responses are a short "ok".
const suspicious = /[sprk]k_|whs|bearer|basic|auth|cookie|token|secret|passw|key|eyj/i;

// All linear. None has a minimum length, so that truncated secrets match too.
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

export type Redact = (text: string) => string;

export function redactText(text: string): string {
  if (!suspicious.test(text)) return text;
  return rules.reduce((redacted, [pattern, replacement]) => redacted.replace(pattern, replacement), text);
}

/** Removes user info, query and fragment, which may contain a secret. */
export function redactUrl(raw: string): string {
  const url = URL.parse(raw);
  if (url === null) return '[invalid url]';
  url.username = '';
  url.password = '';
  url.search = '';
  url.hash = '';
  return url.href;
}

/** Keeps the origin only, for callers without permission to read the endpoint. */
export function redactPath(raw: string): string {
  const url = URL.parse(raw);
  return url === null ? '[invalid url]' : `${url.origin}/[redacted]`;
}
