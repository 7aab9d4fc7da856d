import { isIP, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls';
import type { OnConnectStep } from './peer.ts';

/** `hostname` has no brackets around an IPv6 address; `port` is empty for the default. */
export type ConnectTarget = { readonly protocol: string; readonly hostname: string; readonly port: string };

/** Calls `callback` once, asynchronously. The returned function cancels it without a call. */
export type Connector = (
  target: ConnectTarget,
  callback: (error: Error | null, socket: Socket | null) => void,
  onStep?: OnConnectStep,
) => () => void;

export class ConnectTimeoutError extends Error {
  override readonly name = 'ConnectTimeoutError';
  readonly code = 'connect_timeout';

  constructor() {
    super('the connection could not be established in time');
  }
}

export function portOf({ protocol, port }: ConnectTarget): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

/** Calls `callback` once; after an error the socket is destroyed. Returns a function that cancels it. */
export function untilReady(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  timeoutMs: number,
  callback: (error: Error | null) => void,
): () => void {
  const stop = (): void => {
    clearTimeout(timer);
    socket.off(event, ready).off('close', closed).off('error', fail);
  };
  const end = (error: Error): void => {
    stop();
    // Later errors need a listener, or they end the process.
    socket.on('error', () => undefined).destroy();
    callback(error);
  };
  const ready = (): void => {
    stop();
    callback(null);
  };
  const fail = (error: Error): void => end(error);
  const closed = (): void => end(Object.assign(new Error('the connection was closed'), { code: 'ECONNRESET' }));
  const timer = setTimeout(() => end(new ConnectTimeoutError()), timeoutMs);
  socket.once(event, ready).once('close', closed).once('error', fail);
  return () => {
    stop();
    socket.on('error', () => undefined).destroy();
  };
}

const maxSessions = 100;

/** TLS handshakes that resume sessions. */
export function createSessions() {
  const sessions = new Map<string, Buffer>();
  const keep = (key: string, session: Buffer): void => {
    const [oldest] = sessions.keys();
    if (sessions.size >= maxSessions && !sessions.has(key) && oldest !== undefined) sessions.delete(oldest);
    sessions.set(key, session);
  };
  return {
    connect(target: ConnectTarget, options: ConnectionOptions): TLSSocket {
      const key = `${target.hostname}:${target.port}`;
      const session = sessions.get(key);
      const socket = connectTls({
        ...options,
        ALPNProtocols: ['http/1.1'],
        // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED can't disable it.
        rejectUnauthorized: true,
        // The name or address that the certificate is checked for. An address is not sent as SNI (RFC 6066 section 3).
        host: target.hostname,
        ...(isIP(target.hostname) === 0 ? { servername: target.hostname } : {}),
        ...(session === undefined ? {} : { session }),
      });
      socket.on('session', (established) => keep(key, established));
      socket.once('error', () => sessions.delete(key));
      return socket;
    },
  };
}
