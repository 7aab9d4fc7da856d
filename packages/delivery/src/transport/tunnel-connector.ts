import { isIP, type Socket } from 'node:net';
import { buildConnector, errors } from 'undici';
import { type AddressRule, resolveAllowed } from '../ssrf/resolve-host.ts';
import type { OnConnectStep } from './peer.ts';
import type { ProxyServer } from './proxy-tunnel.ts';
import { openTunnel, TunnelError } from './proxy-tunnel.ts';

/** Addresses of one host to try in turn, within the connect timeout. */
const maxAddresses = 3;

/**
 * Creates an undici connector that connects through a proxy. It resolves and checks the host itself, opens a tunnel to
 * a checked address (S21) and does the TLS handshake with the host's name. `remoteAddress` of the socket is the far end
 * of the tunnel.
 */
export function createTunnelConnector(
  options: AddressRule & { readonly connectTimeoutMs: number },
  proxy: ProxyServer,
) {
  const { connectTimeoutMs } = options;
  const secure = buildConnector({ allowH2: false, timeout: connectTimeoutMs, rejectUnauthorized: true });

  async function open(target: buildConnector.Options, signal: AbortSignal, onStep?: OnConnectStep): Promise<Socket> {
    const addresses = await untilAborted(resolveAllowed(target.hostname, options), signal);
    if (isIP(target.hostname) === 0) onStep?.('dns', addresses[0]);
    const port = target.port || (target.protocol === 'https:' ? '443' : '80');
    const [address, tunnel] = await firstTunnel(addresses.slice(0, maxAddresses), port, proxy, signal);
    onStep?.('connect');
    signal.addEventListener('abort', () => tunnel.destroy(), { once: true });
    const isSecure = target.protocol === 'https:';
    const socket = isSecure ? await upgrade(secure, target, tunnel) : tunnel;
    if (isSecure) onStep?.('tls');
    return Object.defineProperty(socket, 'remoteAddress', { value: address });
  }

  return (target: buildConnector.Options, callback: buildConnector.Callback, onStep?: OnConnectStep): void => {
    // Cleared at the end: a later abort would destroy a connection in use.
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), connectTimeoutMs);
    open(target, deadline.signal, onStep)
      .finally(() => clearTimeout(timer))
      .then(
        (socket) => callback(null, socket),
        (error: Error) => callback(isLate(error, deadline.signal) ? new errors.ConnectTimeoutError() : error, null),
      );
  };
}

async function firstTunnel(
  addresses: readonly string[],
  port: string,
  proxy: ProxyServer,
  signal: AbortSignal,
): Promise<readonly [string, Socket]> {
  let failure: unknown;
  for (const address of addresses) {
    try {
      return [address, await openTunnel({ address, port }, proxy, signal)];
    } catch (error) {
      failure = error;
      const ofTarget =
        error instanceof TunnelError && (error.code === 'PROXY_REFUSED' || error.code === 'PROXY_TIMEOUT');
      if (!ofTarget || signal.aborted) throw error;
    }
  }
  throw failure;
}

function upgrade(secure: buildConnector.connector, target: buildConnector.Options, tunnel: Socket): Promise<Socket> {
  return new Promise((resolve, reject) => {
    // An error closes the tunnel, which rejects below; without a listener it would end the process.
    tunnel.on('error', () => undefined);
    tunnel.once('close', () => reject(Object.assign(new Error('the tunnel was closed'), { code: 'ECONNRESET' })));
    secure({ ...target, httpSocket: tunnel }, (...[error, socket]) => {
      if (error === null) return resolve(socket);
      tunnel.destroy();
      reject(error);
    });
  });
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new errors.ConnectTimeoutError()), { once: true });
    work.then(resolve, reject);
  });
}

/** An unreachable proxy is an error of this installation, not a timeout of the target. */
function isLate(error: Error, signal: AbortSignal): boolean {
  return signal.aborted && !(error instanceof TunnelError && error.code === 'PROXY_UNREACHABLE');
}
