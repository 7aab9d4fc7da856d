import { connect as connectTcp, isIPv6, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

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

/**
 * Why there is no tunnel. PROXY_UNREACHABLE and PROXY_AUTH are faults of this installation; PROXY_REFUSED and
 * PROXY_TIMEOUT are what the proxy says of the target. Names neither the proxy nor the target.
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

/** Whether the proxy lets nothing through: it is away, or wants other credentials. */
export function isProxyError(error: unknown): boolean {
  return error instanceof TunnelError && (error.code === 'PROXY_UNREACHABLE' || error.code === 'PROXY_AUTH');
}

type TunnelTarget = { readonly address: string; readonly port: string };

const maxAnswerBytes = 16 * 1024;

/**
 * A connection to `target` through the proxy (RFC 9110 section 9.3.6). The target is an address, so that the proxy
 * resolves nothing. Rejects with a TunnelError or the socket's error; when `signal` aborts, too.
 */
export function openTunnel(target: TunnelTarget, proxy: ProxyServer, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectTo(proxy);
    let connected = false;
    let answer = Buffer.alloc(0);
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
        answer = Buffer.concat([answer, chunk]);
      }
      const headEnd = answer.indexOf('\r\n\r\n');
      if (headEnd >= 0) end(errorOf(answer, headEnd + 4));
      else if (answer.byteLength > maxAnswerBytes) end(new TunnelError('PROXY_REFUSED'));
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

// No encoding is set, so that a stream of bytes gives bytes.
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

function errorOf(answer: Buffer, headLength: number): TunnelError | undefined {
  const status = Number(/^HTTP\/1\.[01] (\d{3})\b/.exec(answer.toString('latin1', 0, 32))?.[1]);
  // The receiver never speaks first, so that bytes behind the head are the proxy's own.
  if (status >= 200 && status <= 299 && answer.byteLength === headLength) return undefined;
  return new TunnelError(status === 407 ? 'PROXY_AUTH' : status === 504 ? 'PROXY_TIMEOUT' : 'PROXY_REFUSED');
}
