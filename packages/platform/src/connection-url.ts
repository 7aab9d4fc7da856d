/** What the driver takes for `ssl`; at any other value its connections end with a TypeError. */
const sslValues: ReadonlySet<string> = new Set(['true', '1', '0', 'no-verify']);

/** Whether the driver of PostgreSQL can read the URL. It knows one address, and would look a list up as one name. */
export function isPostgresUrl(url: URL): boolean {
  const { protocol, username, password, pathname, hostname, searchParams } = url;
  if (!/^postgres(ql)?:$/.test(protocol) || !isPercentEncoded(username + password + pathname)) return false;
  if (![hostname, ...searchParams.getAll('host')].every((host) => isPercentEncoded(host) && !/,|%2c/i.test(host)))
    return false;
  return searchParams.getAll('ssl').every((value) => sslValues.has(value));
}

/** Whether a part of a URL can be decoded: a `%` that is no escape of UTF-8 ends a driver with an error that has no name. */
export function isPercentEncoded(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
}
