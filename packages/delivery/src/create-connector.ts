import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { BlockedAddressError } from './blocked-address-error.ts';
import type { HostLookup } from './host-lookup.ts';

export type ConnectorOptions = {
  readonly isAllowed: (address: string) => boolean;
  readonly lookup: HostLookup;
  /** Milliseconds for DNS, TCP and TLS together. */
  readonly connectTimeoutMs: number;
};

/**
 * An undici connector that opens sockets to allowed addresses only (S21). It runs for every new connection, so a
 * name that changes its answer gains nothing: the socket connects to the very addresses that were checked, while
 * SNI and Host keep the name.
 */
export function createConnector({ isAllowed, lookup, connectTimeoutMs }: ConnectorOptions): buildConnector.connector {
  const connect = buildConnector({
    allowH2: false,
    timeout: connectTimeoutMs,
    // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED can't switch it off.
    rejectUnauthorized: true,
    lookup: createCheckedLookup(lookup, isAllowed),
  });
  return (options, callback) => {
    // net.connect never calls `lookup` for a literal, so literals are checked here.
    if (isIP(options.hostname) !== 0 && !isAllowed(options.hostname)) {
      queueMicrotask(() => callback(new BlockedAddressError(), null));
      return;
    }
    connect(options, (...[error, socket]) => {
      if (error !== null) {
        callback(error, null);
      } else if (isAllowed(socket.remoteAddress ?? '')) {
        callback(null, socket);
      } else {
        socket.destroy();
        callback(new BlockedAddressError(), null);
      }
    });
  };
}

function createCheckedLookup(lookup: HostLookup, isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    const answer = (addresses: readonly string[]): void => {
      const found = addresses.map((address) => ({ address, family: isIP(address) }));
      const [first] = found;
      if (first === undefined) callback(noAddress(hostname), '');
      else if (!addresses.every(isAllowed)) callback(new BlockedAddressError(), '');
      else if (options.all === true) callback(null, found);
      else callback(null, first.address, first.family);
    };
    lookup(hostname).then(answer, (error: NodeJS.ErrnoException) => callback(error, ''));
  };
}

function noAddress(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`no address for ${hostname}`), { code: 'ENODATA' });
}
