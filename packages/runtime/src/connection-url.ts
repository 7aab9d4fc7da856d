/** Values of `ssl` that the driver accepts; with any other its connections fail with a TypeError. */
const sslValues: ReadonlySet<string> = new Set(['true', '1', '0', 'no-verify']);

/** True for a URL that the driver of PostgreSQL can parse. It supports one host, not a list. */
export function isPostgresUrl(url: URL): boolean {
  const { protocol, username, password, pathname, hostname, searchParams } = url;
  if (!/^postgres(ql)?:$/.test(protocol) || !isPercentEncoded(username + password + pathname)) return false;
  if (![hostname, ...searchParams.getAll('host')].every((host) => isPercentEncoded(host) && !/,|%2c/i.test(host)))
    return false;
  return searchParams.getAll('ssl').every((value) => sslValues.has(value));
}

/** False for an invalid `%` escape, on which drivers fail with an error that does not name the URL. */
export function isPercentEncoded(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
}
