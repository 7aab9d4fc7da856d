/** An HTTP proxy that tunnels (CONNECT). `authorization` is the header's value: it must be in no log and no error. */
export type ProxyServer = {
  readonly protocol: 'http:' | 'https:';
  readonly hostname: string;
  readonly port: string;
  readonly authorization: string | undefined;
};

/** Reads `http[s]://[user:password@]host[:port]`. @throws Error, which does not repeat the text. */
export function parseProxyUrl(text: string): ProxyServer {
  const url = URL.parse(text);
  const bare = url !== null && url.pathname === '/' && url.search === '' && url.hash === '';
  if (!bare || (url.protocol !== 'http:' && url.protocol !== 'https:')) throw malformed();
  const credentials = decode(`${url.username}:${url.password}`);
  return {
    protocol: url.protocol,
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port,
    authorization: credentials === ':' ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`,
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw malformed();
  }
}

function malformed(): Error {
  return new Error(
    'The outgoing proxy must be given as http://user:password@host:port, percent-encoded, without a path.',
  );
}
