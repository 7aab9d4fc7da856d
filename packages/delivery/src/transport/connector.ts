import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { type AddressRule, BlockedAddressError, resolveAllowed } from '../ssrf/resolve-host.ts';
import { type Connector, createSessions, portOf, untilReady } from './open-socket.ts';
import type { OnConnectStep } from './peer.ts';
import type { ProxyServer } from './proxy-tunnel.ts';
import { createTunnelConnector } from './tunnel-connector.ts';

export type ConnectorOptions = AddressRule & {
  readonly connectTimeoutMs: number;
  readonly proxy?: ProxyServer | undefined;
};

/** Share of the connect timeout for each of several addresses. Node's 250 ms abort slow handshakes. */
const attemptShare = 0.4;
const keepAliveProbeMs = 60_000;

/** Resolves the name for every new connection and connects to the checked addresses, which defeats DNS rebinding. */
export function createConnector(options: ConnectorOptions): Connector {
  const { isAllowed, connectTimeoutMs, proxy } = options;
  if (proxy !== undefined) return createTunnelConnector(options, proxy);
  const lookup = createCheckedLookup(options);
  const sessions = createSessions();
  const common = {
    lookup,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: Math.ceil(attemptShare * connectTimeoutMs),
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: keepAliveProbeMs,
  };
  return (target, callback, onStep) => {
    // net.connect doesn't call `lookup` for an IP literal.
    if (isIP(target.hostname) !== 0 && !isAllowed(target.hostname)) {
      queueMicrotask(() => callback(new BlockedAddressError(), null));
      return () => undefined;
    }
    const address = { ...common, host: target.hostname, port: portOf(target) };
    const isSecure = target.protocol === 'https:';
    const socket = isSecure ? sessions.connect(target, address) : connectTcp(address);
    if (onStep !== undefined) reportSteps(socket, onStep);
    return untilReady(socket, isSecure ? 'secureConnect' : 'connect', connectTimeoutMs, (error) => {
      if (error !== null) callback(error, null);
      else if (isAllowed(socket.remoteAddress ?? '')) callback(null, socket);
      else {
        socket.destroy();
        callback(new BlockedAddressError(), null);
      }
    });
  };
}

/** Its listeners run before the one that starts the request. */
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
