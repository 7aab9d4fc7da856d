import { isIP, type LookupFunction, Socket } from 'node:net';
import { buildConnector } from 'undici';
import { type AddressRule, BlockedAddressError, resolveAllowed } from '../ssrf/resolve-host.ts';
import type { OnConnectStep } from './peer.ts';
import type { ProxyServer } from './proxy-tunnel.ts';
import { createTunnelConnector } from './tunnel-connector.ts';

export type ConnectorOptions = AddressRule & {
  readonly connectTimeoutMs: number;
  /** Connections go through this proxy. It gets IP addresses, never names. */
  readonly proxy?: ProxyServer | undefined;
};

/** Share of the connect timeout for each of several addresses. Node's default of 250 ms aborts slow handshakes. */
const attemptShare = 0.4;

export type Connector = (
  options: buildConnector.Options,
  callback: buildConnector.Callback,
  onStep?: OnConnectStep,
) => void;

/**
 * Creates an undici connector that connects to allowed addresses only (S21). DNS rebinding has no effect: the connector
 * resolves the name for every new connection and connects to the addresses that it checked. SNI and Host keep the name.
 */
export function createConnector(options: ConnectorOptions): Connector {
  const { isAllowed, connectTimeoutMs, proxy } = options;
  if (proxy !== undefined) return createTunnelConnector(options, proxy);
  const connect = buildConnector({
    allowH2: false,
    timeout: connectTimeoutMs,
    autoSelectFamilyAttemptTimeout: Math.ceil(attemptShare * connectTimeoutMs),
    // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED can't disable it.
    rejectUnauthorized: true,
    lookup: createCheckedLookup(options),
  });
  return (target, callback, onStep) => {
    // net.connect doesn't call `lookup` for an IP literal.
    if (isIP(target.hostname) !== 0 && !isAllowed(target.hostname)) {
      queueMicrotask(() => callback(new BlockedAddressError(), null));
      return;
    }
    const opened: unknown = connect(target, (...[error, socket]) => {
      if (error !== null) {
        callback(error, null);
      } else if (isAllowed(socket.remoteAddress ?? '')) {
        callback(null, socket);
      } else {
        socket.destroy();
        callback(new BlockedAddressError(), null);
      }
    });
    // undici returns the socket that it opens, though its types don't say so.
    if (onStep !== undefined && opened instanceof Socket) reportSteps(opened, onStep);
  };
}

/** Runs before undici's own listeners, which start the request. */
function reportSteps(socket: Socket, onStep: OnConnectStep): void {
  socket.once('lookup', (_error, address) => onStep('dns', address || undefined));
  socket.prependOnceListener('connect', () => onStep('connect'));
  socket.prependOnceListener('secureConnect', () => onStep('tls'));
}

function createCheckedLookup(rule: AddressRule): LookupFunction {
  return (hostname, options, callback) => {
    const resolved = (addresses: readonly string[]): void => {
      const [first = ''] = addresses;
      if (options.all === true)
        callback(
          null,
          addresses.map((address) => ({ address, family: isIP(address) })),
        );
      else callback(null, first, isIP(first));
    };
    resolveAllowed(hostname, rule).then(resolved, (error: NodeJS.ErrnoException) => callback(error, ''));
  };
}
