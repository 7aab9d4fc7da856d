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
