import { isIP, type LookupFunction, Socket } from 'node:net';
import { buildConnector } from 'undici';
import { type AddressRule, BlockedAddressError, resolveAllowed } from '../ssrf/resolve-host.ts';
import type { OnConnectStep } from './peer.ts';
import type { ProxyServer } from './proxy-tunnel.ts';
import { createTunnelConnector } from './tunnel-connector.ts';

export type ConnectorOptions = AddressRule & {
  /** Milliseconds for DNS, TCP and TLS together. */
  readonly connectTimeoutMs: number;
  /** The only way out, when the installation has one; it is told addresses, never names. */
  readonly proxy?: ProxyServer | undefined;
};

/** Of the connect timeout, what one of several addresses has before the next is tried: Node's 250 ms cut slow handshakes. */
const attemptShare = 0.4;

/** An undici connector that can tell how far it has come. */
export type Connector = (
  options: buildConnector.Options,
  callback: buildConnector.Callback,
  onStep?: OnConnectStep,
) => void;

/**
 * An undici connector that opens sockets to allowed addresses only (S21). It runs for every new connection, so a
 * name that changes its answer gains nothing: the socket connects to the very addresses that were checked, while
 * SNI and Host keep the name.
 */
export function createConnector(options: ConnectorOptions): Connector {
  const { isAllowed, connectTimeoutMs, proxy } = options;
  if (proxy !== undefined) return createTunnelConnector(options, proxy);
  const connect = buildConnector({
    allowH2: false,
    timeout: connectTimeoutMs,
    autoSelectFamilyAttemptTimeout: Math.ceil(attemptShare * connectTimeoutMs),
    // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED can't switch it off.
    rejectUnauthorized: true,
    lookup: createCheckedLookup(options),
  });
  return (target, callback, onStep) => {
    // net.connect never calls `lookup` for a literal, so literals are checked here.
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
    // undici returns the socket that it is opening, though its types don't say so.
    if (onStep !== undefined && opened instanceof Socket) tellSteps(opened, onStep);
  };
}

/** Before undici's own listeners, which begin the request at once. */
function tellSteps(socket: Socket, onStep: OnConnectStep): void {
  socket.once('lookup', (_error, address) => onStep('dns', address || undefined));
  socket.prependOnceListener('connect', () => onStep('connect'));
  socket.prependOnceListener('secureConnect', () => onStep('tls'));
}

function createCheckedLookup(rule: AddressRule): LookupFunction {
  return (hostname, options, callback) => {
    const answer = (addresses: readonly string[]): void => {
      const [first = ''] = addresses;
      if (options.all === true)
        callback(
          null,
          addresses.map((address) => ({ address, family: isIP(address) })),
        );
      else callback(null, first, isIP(first));
    };
    resolveAllowed(hostname, rule).then(answer, (error: NodeJS.ErrnoException) => callback(error, ''));
  };
}
