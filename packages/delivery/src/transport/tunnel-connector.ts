import { isIP, type Socket } from 'node:net';
import { type AddressRule, resolveAllowed } from '../ssrf/resolve-host.ts';
import {
  type Connector,
  type ConnectTarget,
  ConnectTimeoutError,
  createSessions,
  portOf,
  untilReady,
} from './open-socket.ts';
import type { OnConnectStep } from './peer.ts';
import type { ProxyServer } from './proxy-tunnel.ts';
import { openTunnel, TunnelError } from './proxy-tunnel.ts';

const maxAddresses = 3;

type TlsSessions = ReturnType<typeof createSessions>;

/** Connects through a proxy: checks the host itself, opens a tunnel to its address, and does the TLS handshake. */
export function createTunnelConnector(
  options: AddressRule & { readonly connectTimeoutMs: number },
  proxy: ProxyServer,
): Connector {
  const { connectTimeoutMs } = options;
  const sessions = createSessions();

  async function open(target: ConnectTarget, signal: AbortSignal, onStep?: OnConnectStep): Promise<Socket> {
    const addresses = await untilAborted(resolveAllowed(target.hostname, options), signal);
    if (isIP(target.hostname) === 0) onStep?.('dns', addresses[0]);
    const [address, tunnel] = await firstTunnel(addresses.slice(0, maxAddresses), portOf(target), proxy, signal);
    onStep?.('connect');
    const isSecure = target.protocol === 'https:';
    const socket = isSecure ? await upgrade(target, tunnel, connectTimeoutMs, signal, sessions) : tunnel;
    if (isSecure) onStep?.('tls');
    return Object.defineProperty(socket, 'remoteAddress', { value: address });
  }

  return (target, callback, onStep) => {
    const deadline = new AbortController();
    let isCancelled = false;
    const timer = setTimeout(() => deadline.abort(), connectTimeoutMs);
    open(target, deadline.signal, onStep)
      .finally(() => clearTimeout(timer))
      .then(
        (socket) => {
          if (isCancelled) socket.on('error', () => undefined).destroy();
          else callback(null, socket);
        },
        (error: Error) => {
          if (!isCancelled) callback(isLate(error, deadline.signal) ? new ConnectTimeoutError() : error, null);
        },
      );
    return () => {
      isCancelled = true;
      clearTimeout(timer);
      deadline.abort();
    };
  };
}

async function firstTunnel(
  addresses: readonly string[],
  port: number,
  proxy: ProxyServer,
  signal: AbortSignal,
): Promise<readonly [string, Socket]> {
  let failure: unknown;
  for (const address of addresses) {
    try {
      return [address, await openTunnel({ address, port: String(port) }, proxy, signal)];
    } catch (error) {
      failure = error;
      const ofTarget =
        error instanceof TunnelError && (error.code === 'PROXY_REFUSED' || error.code === 'PROXY_TIMEOUT');
      if (!ofTarget || signal.aborted) throw error;
    }
  }
  throw failure;
}

function upgrade(
  target: ConnectTarget,
  tunnel: Socket,
  timeoutMs: number,
  signal: AbortSignal,
  sessions: TlsSessions,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      tunnel.destroy();
      reject(error);
    };
    // Closes the tunnel, which rejects below; an error without a listener would end the process.
    tunnel.on('error', () => undefined);
    tunnel.once('close', () => fail(Object.assign(new Error('the tunnel was closed'), { code: 'ECONNRESET' })));
    const socket = sessions.connect(target, { socket: tunnel });
    const cancel = untilReady(socket, 'secureConnect', timeoutMs, (error) => {
      signal.removeEventListener('abort', cut);
      if (error === null) resolve(socket);
      else fail(error);
    });
    const cut = (): void => {
      cancel();
      fail(new ConnectTimeoutError());
    };
    signal.addEventListener('abort', cut, { once: true });
    if (signal.aborted) cut();
  });
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new ConnectTimeoutError()), { once: true });
    work.then(resolve, reject);
  });
}

/** An unreachable proxy is an error of this installation, not a timeout of the target. */
function isLate(error: Error, signal: AbortSignal): boolean {
  return signal.aborted && !(error instanceof TunnelError && error.code === 'PROXY_UNREACHABLE');
}
