import { connect as connectTcp, isIPv6, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** An HTTP proxy for CONNECT. `authorization` is secret. */
export type ProxyServer = {
  readonly protocol: 'http:' | 'https:';
  readonly hostname: string;
  readonly port: string;
  readonly authorization: string | undefined;
};

/** Parses `http[s]://[user:password@]host[:port]`. @throws Error whose message doesn't contain the URL */
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

/**
 * PROXY_UNREACHABLE and PROXY_AUTH are errors of this installation, the others the proxy's responses for this target.
 */
export class TunnelError extends Error {
  override readonly name = 'TunnelError';
  readonly code: 'PROXY_UNREACHABLE' | 'PROXY_AUTH' | 'PROXY_REFUSED' | 'PROXY_TIMEOUT';

  constructor(code: TunnelError['code'], cause?: unknown) {
    super(
      code === 'PROXY_UNREACHABLE'
        ? 'the outgoing proxy can not be reached: check WEBHOOK_PROXY_URL'
        : code === 'PROXY_AUTH'
          ? 'the outgoing proxy wants other credentials: check WEBHOOK_PROXY_URL'
          : 'the outgoing proxy did not connect to the target',
      cause === undefined ? undefined : { cause },
    );
    this.code = code;
  }
}

/** True if no request can pass the proxy: it is unreachable, or rejects our credentials. */
export function isProxyError(error: unknown): boolean {
  return error instanceof TunnelError && (error.code === 'PROXY_UNREACHABLE' || error.code === 'PROXY_AUTH');
}

type TunnelTarget = { readonly address: string; readonly port: string };

const maxResponseBytes = 16 * 1024;

/**
 * Connects to an IP address (RFC 9110 section 9.3.6). Rejects with a TunnelError, also when aborted, or the socket's
 * error.
 */
export function openTunnel(target: TunnelTarget, proxy: ProxyServer, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectTo(proxy);
    let connected = false;
    let response = Buffer.alloc(0);
    const end = (error: Error | undefined): void => {
      signal.removeEventListener('abort', cut);
      socket.off('readable', read).off('error', fail).off('close', closed);
      if (error === undefined) return resolve(socket);
      socket.on('error', () => undefined).destroy();
      reject(error);
    };
    const fail = (error: Error): void => end(connected ? error : new TunnelError('PROXY_UNREACHABLE', error));
    const cut = (): void => end(new TunnelError(connected ? 'PROXY_TIMEOUT' : 'PROXY_UNREACHABLE'));
    const closed = (): void => end(new TunnelError(connected ? 'PROXY_REFUSED' : 'PROXY_UNREACHABLE'));
    const read = (): void => {
      for (let chunk = readBytes(socket); chunk !== null; chunk = readBytes(socket)) {
        response = Buffer.concat([response, chunk]);
      }
      const headEnd = response.indexOf('\r\n\r\n');
      if (headEnd >= 0) end(errorOf(response, headEnd + 4));
      else if (response.byteLength > maxResponseBytes) end(new TunnelError('PROXY_REFUSED'));
    };
    socket.once(proxy.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
      connected = true;
      socket.write(requestFor(target, proxy));
    });
    socket.on('readable', read).on('error', fail).on('close', closed);
    signal.addEventListener('abort', cut);
    if (signal.aborted) cut();
  });
}

// Without an encoding, sockets read buffers.
function readBytes(socket: Socket): Buffer | null {
  return socket.read() as Buffer | null;
}

function connectTo({ protocol, hostname: host, port }: ProxyServer): Socket {
  const options = { host, port: Number(port), noDelay: true, keepAlive: true };
  return protocol === 'https:' ? connectTls({ ...options, rejectUnauthorized: true }) : connectTcp(options);
}

function requestFor({ address, port }: TunnelTarget, { authorization }: ProxyServer): string {
  const authority = `${isIPv6(address) ? `[${address}]` : address}:${port}`;
  const credentials = authorization === undefined ? '' : `Proxy-Authorization: ${authorization}\r\n`;
  return `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${credentials}\r\n`;
}

function errorOf(response: Buffer, headLength: number): TunnelError | undefined {
  const status = Number(/^HTTP\/1\.[01] (\d{3})\b/.exec(response.toString('latin1', 0, 32))?.[1]);
  // The receiver never sends first, so bytes after the head are the proxy's.
  if (status >= 200 && status <= 299 && response.byteLength === headLength) return undefined;
  return new TunnelError(status === 407 ? 'PROXY_AUTH' : status === 504 ? 'PROXY_TIMEOUT' : 'PROXY_REFUSED');
}
