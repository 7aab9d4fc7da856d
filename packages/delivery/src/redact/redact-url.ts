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
